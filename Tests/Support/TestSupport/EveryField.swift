package import FlagDomain
package import Testing

/// The parts of a value that have no parts of their own, by their paths, such as `user.storage.fields.id`.
///
/// They are found by reflection, private ones too, so a test that compares them needs no list of fields, and does not
/// pass over a field that a type gets later.
package struct EveryField {
  private var parts: [String: Any] = [:]

  package init(of value: Any) { add(value, at: "") }

  private mutating func add(_ value: Any, at path: String) {
    func inside(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    let mirror = Mirror(reflecting: value)
    guard !(value is any BinaryInteger), !mirror.children.isEmpty else { return parts[path] = value }
    switch mirror.displayStyle {
    case .dictionary?:
      for case let (key, value) as (AnyHashable, Any) in mirror.children.map(\.value) {
        add(value, at: inside("\(key)"))
      }
    case .set?: for element in mirror.children { add(element.value, at: inside("\(element.value)")) }
    case .optional?: for wrapped in mirror.children { add(wrapped.value, at: path) }
    default:
      for (index, child) in mirror.children.enumerated() { add(child.value, at: inside(child.label ?? "\(index)")) }
    }
  }
}

extension EveryField {
  /// The texts among the parts.
  package var strings: [String: String] { parts.compactMapValues { $0 as? String } }

  /// Returns the paths at which two values differ; texts are compared by code points.
  package func differences(from other: EveryField) -> Set<String> {
    Set(parts.keys).union(other.parts.keys).filter { path in
      guard let part = parts[path], let others = other.parts[path] else { return true }
      return !Self.text(of: part).utf8.elementsEqual(Self.text(of: others).utf8)
    }
  }

  /// The paths of the parts that are nil, false, zero or empty.
  package var blanks: Set<String> {
    let blanks = ["nil", "false", "0", "0.0", "\"\"", "[]", "[:]", "Set([])"]
    return Set(parts.filter { blanks.contains(Self.text(of: $0.value)) }.keys)
  }

  private static func text(of part: Any) -> String { String(reflecting: part) }
}

/// Expects that every part of one of the values is set, and differs from that of another one, which has the defaults.
///
/// Several values are of a type some of whose parts exclude each other.
package func expectEveryField<Value>(
  of values: Value..., differsFrom plain: Value? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  let plain = plain.map { EveryField(of: $0) }
  let same = values.map { value in
    let fields = EveryField(of: value)
    guard let plain else { return fields.blanks }
    return Set(plain.paths).subtracting(fields.differences(from: plain))
  }
  let always = same.dropFirst().reduce(same.first ?? []) { $0.intersection($1) }
  #expect(always.isEmpty, "parts of \(Value.self) as they are by default", sourceLocation: sourceLocation)
}

/// Expects that every part of a value is that of another one, except those at or below some paths.
package func expectSameFields<Value>(
  _ value: Value, _ other: Value, except paths: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
) {
  let differences = EveryField(of: value).differences(from: EveryField(of: other))
    .filter { !EveryField.isPart($0, of: paths) }
  #expect(differences.isEmpty, "parts of \(Value.self) that differ", sourceLocation: sourceLocation)
}

/// Expects that a comparison tells a value from each of others, which together differ from it in every part.
///
/// - Parameters:
///   - value: The value, of which every part is set.
///   - plain: A value that has the defaults; nil if these are nil, false, zero or empty.
///   - edits: Each changes the value in another part.
///   - derived: The paths of parts that follow from others, or do not count.
///   - areEqual: The comparison.
///   - sourceLocation: The place of the expectation.
package func expectComparison<Value>(
  of value: Value, differsFrom plain: Value? = nil, afterEach edits: [(inout Value) -> Void], derived: [String] = [],
  by areEqual: (Value, Value) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectEveryField(of: value, differsFrom: plain, sourceLocation: sourceLocation)
  let fields = EveryField(of: value)
  var untouched = Set(fields.paths).filter { !EveryField.isPart($0, of: derived) }
  for edit in edits {
    var changed = value
    edit(&changed)
    let differences = fields.differences(from: EveryField(of: changed))
    #expect(!areEqual(value, changed), "the same but for \(differences.sorted())", sourceLocation: sourceLocation)
    untouched.subtract(differences)
  }
  #expect(areEqual(value, value), sourceLocation: sourceLocation)
  #expect(untouched.isEmpty, "parts of \(Value.self) that no edit changes", sourceLocation: sourceLocation)
}

extension EveryField {
  fileprivate var paths: [String] { Array(parts.keys) }

  /// Returns whether a path is one of others, or leads into one.
  fileprivate static func isPart(_ path: String, of others: [String]) -> Bool {
    others.contains { path == $0 || path.hasPrefix("\($0).") }
  }
}

extension FlagValue {
  /// A number with more digits than a double keeps, so that each of its parts is set; null, a blank, if it cannot be.
  package static var manyDigits: FlagValue { FlagValue(numeral: "1.2345678901234567890") ?? .null }
}

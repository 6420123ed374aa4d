import FlagDefinitions
import FlagDomain
import FlagJSON

/// Reads the parts of flags and segments, and remembers their places.
///
/// A part of another shape than expected is an error, which makes its flag or segment malformed. Keys of flags and
/// segments become numbers, so that one can refer to another that comes later.
struct PartReader {
  /// The error of a part: its place, and the expectation.
  typealias Problem = UnlocatedDiagnosticError

  var flags = Definitions.Table<LaunchDarklyFlag>()
  var segments = Definitions.Table<Segment>()
  /// The problems of parts that can be read, but probably do not mean what their author intended.
  private(set) var notes: [UnlocatedDiagnostic] = []
  private var steps: [DocumentPath.Step] = []

  typealias Members = [String: FlagValue]
}

/// A diagnostic, thrown.
struct UnlocatedDiagnosticError: Error {
  let diagnostic: UnlocatedDiagnostic
}

extension PartReader {
  /// The place that is read.
  var path: DocumentPath { DocumentPath(steps) }

  mutating func begin(at steps: [DocumentPath.Step]) { self.steps = steps }

  /// Reads a member, or an element, in a closure that knows its place.
  mutating func at<Value>(
    _ step: DocumentPath.Step, _ read: (inout PartReader) throws(Problem) -> Value
  ) throws(Problem) -> Value {
    steps.append(step)
    defer { steps.removeLast() }
    return try read(&self)
  }

  /// Returns the members of a flag or segment; nil for one that is marked as deleted.
  func members(of value: FlagValue) throws(Problem) -> Members? {
    guard case .object(let members) = value else { throw problem("expected an object, found \(value.summary)") }
    return try bool("deleted", of: members) ? nil : members
  }

  func problem(_ message: String, at further: [DocumentPath.Step] = []) -> Problem {
    Problem(diagnostic: UnlocatedDiagnostic(path: DocumentPath(steps + further), message: message))
  }

  func problem(expected: String, found value: FlagValue?, at name: String) -> Problem {
    let message = "expected \(expected), found \(value?.summary ?? "nothing")"
    return Problem(diagnostic: UnlocatedDiagnostic(path: path.appending(name), message: message))
  }

  mutating func warn(_ message: String, at further: [DocumentPath.Step] = []) { report(message, .warning, at: further) }

  /// Notes what does not make the whole part malformed.
  mutating func report(
    _ message: String, _ severity: DocumentDiagnostic.Severity, at further: [DocumentPath.Step] = []
  ) {
    guard notes.count < 100 else { return }
    notes.append(UnlocatedDiagnostic(severity: severity, path: DocumentPath(steps + further), message: message))
  }
}

// MARK: Members of any object

/// Null stands for a missing member only where LaunchDarkly's own documents have it, so that no restriction is dropped.
extension PartReader {
  func text(_ name: String, of members: Members) throws(Problem) -> String? {
    switch members[name] {
    case nil: return nil
    case .string(let text)?: return text
    case let value?: throw problem(expected: "a string", found: value, at: name)
    }
  }

  /// Returns a text that is not empty: an empty one would stand for the default.
  func name(_ name: String, of members: Members) throws(Problem) -> String? {
    let text = try text(name, of: members)
    if text?.isEmpty == true { throw problem(expected: "a string that is not empty", found: "", at: name) }
    return text
  }

  func bool(_ name: String, of members: Members) throws(Problem) -> Bool {
    switch members[name] {
    case nil: return false
    case .bool(let value)?: return value
    case let value?: throw problem(expected: "true or false", found: value, at: name)
    }
  }

  func integer(_ name: String, of members: Members, orNull: Bool = false) throws(Problem) -> Int128? {
    switch members[name] {
    case nil: return nil
    case .null? where orNull: return nil
    case .int(let number)?: return number
    case .double(let double, _)?: if let number = Int64(exactly: double) { return Int128(number) }
    default: break
    }
    throw problem(expected: "a whole number", found: members[name], at: name)
  }

  /// Returns a variation's number; one that no array has room for is -1, which no flag has.
  func variation(_ name: String, of members: Members, orNull: Bool = false) throws(Problem) -> Int? {
    try integer(name, of: members, orNull: orNull).map { Int(exactly: $0) ?? -1 }
  }

  func array(_ name: String, of members: Members) throws(Problem) -> [FlagValue] {
    switch members[name] {
    case nil: return []
    case .array(let elements)?: return elements
    case let value?: throw problem(expected: "an array", found: value, at: name)
    }
  }

  /// Returns the keys in an array.
  func keys(_ name: String, of members: Members) throws(Problem) -> [FlagValue] {
    let keys = try array(name, of: members)
    if let index = keys.firstIndex(where: { $0.text?.isEmpty != false }) {
      throw problem(
        "expected strings that are not empty, found \(keys[index].summary)", at: [.member(name), .element(index)])
    }
    return keys
  }

  func object(_ name: String, of members: Members, orNull: Bool = false) throws(Problem) -> Members? {
    switch members[name] {
    case nil: return nil
    case .null? where orNull: return nil
    case .object(let members)?: return members
    case let value?: throw problem(expected: "an object", found: value, at: name)
    }
  }

  /// Reads each object of an array.
  mutating func objects<Value>(
    _ name: String, of members: Members, _ read: (inout PartReader, Members) throws(Problem) -> Value
  ) throws(Problem) -> [Value] {
    let elements = try array(name, of: members)
    guard !elements.isEmpty else { return [] }
    return try at(.member(name)) { reader throws(Problem) in
      var values: [Value] = []
      values.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        guard case .object(let members) = element else {
          throw reader.problem("expected objects, found \(element.summary) at index \(index)")
        }
        values.append(try reader.at(.element(index)) { reader throws(Problem) in try read(&reader, members) })
      }
      return values
    }
  }
}

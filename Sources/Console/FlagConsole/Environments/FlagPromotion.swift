import FlagDefinitions
public import FlagDomain
public import FlagEditing
import FlagJSON

/// A change that brings the definition of a flag from one environment to another.
public struct FlagPromotion: Sendable {
  /// The change of the other environment's document.
  public let change: DocumentChange
  /// Whether the other environment does not have the flag yet.
  public let isNew: Bool
  /// The shared rules that the flag uses, and the other environment does not have; sorted.
  public let missingRules: [String]
  /// The shared rules that the flag uses, and the other environment has others of that name; sorted.
  public let differingRules: [String]
}

extension ConsoleModel {
  /// Returns the change that promotes a flag from another environment to this one.
  ///
  /// The definition replaces the one that is here, or follows the last flag; it keeps the bytes of its lines.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - environment: The other environment.
  ///   - takesRules: Whether shared rules that are missing or differ here are promoted, too.
  /// - Returns: The change, and the shared rules that it needs.
  /// - Throws: An error if the other environment has no such flag, or if a document cannot be edited.
  public func promotion(
    of key: String, from environment: FlagEnvironments.Environment, takingRules takesRules: Bool
  ) throws(FlagError) -> FlagPromotion {
    let (source, stored) = (try environment.console.storedDefinitions, try storedDefinitions)
    _ = (try source.editable, try stored.editable)
    let (theirs, mine) = (try JSONEditor(source.text), try JSONEditor(stored.text))
    guard let definition = theirs.block(at: .flag(key)) else {
      throw FlagError(.flagNotFound, "The environment \(environment.name) has no flag “\(key.prefix(100))”.")
    }
    let rules = try SharedRules(of: definition, in: theirs)
    let missing = rules.sources.filter { mine.range(of: .evaluator($0.name)) == nil }
    var differing: [(name: String, text: String)] = []
    for (name, text) in rules.sources {
      guard let other = mine.source(of: .evaluator(name)) else { continue }
      if try FlagValue.reading(json: text) != FlagValue.reading(json: other) { differing.append((name, text)) }
    }
    let taken: [(name: String, text: String)] = takesRules ? missing + differing : []
    let change = DocumentChange(
      "promoted \(key) from \(environment.name)", of: [key], over: stored.version
    ) { text throws(FlagError) in
      var editor = try JSONEditor(text)
      for (name, text) in taken { try editor.setEvaluator(name, text) }
      try editor.setMember(key, definition, in: .flags)
      return editor.text
    }
    return FlagPromotion(
      change: change, isNew: mine.range(of: .flag(key)) == nil, missingRules: missing.map(\.name),
      differingRules: differing.map(\.name))
  }
}

/// The shared rules that a flag uses, and those that they use.
private struct SharedRules {
  private(set) var sources: [(name: String, text: String)] = []

  /// Finds the rules in the document; references to none stay as they are.
  init(of definition: String, in editor: JSONEditor) throws(FlagError) {
    var waiting = try FlagValue.reading(json: definition).references
    var known: Set<String> = []
    while let name = waiting.popLast() {
      guard known.insert(name).inserted, let text = editor.block(at: .evaluator(name)) else { continue }
      sources.append((name, text))
      waiting += try FlagValue.reading(json: text).references
    }
    sources.sort { $0.name < $1.name }
  }
}

extension FlagValue {
  /// The names of the shared rules that a rule, or a part of it, refers to.
  fileprivate var references: [String] {
    var (rest, names) = ([self], [String]())
    while let value = rest.popLast() {
      switch value {
      case .array(let elements): rest += elements
      case .object(let members):
        if members.count == 1, case .string(let name)? = members["$ref"] { names.append(name) }
        rest += members.values
      case .null, .bool, .int, .double, .string: break
      }
    }
    return names
  }
}

extension JSONEditor {
  /// Returns a value as it is written, without the indentation of the line that it begins in; nil if there is none.
  fileprivate func block(at path: DocumentPath) -> String? {
    guard let range = range(of: path) else { return nil }
    let start = text[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let margin = text[start..<range.lowerBound].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let lines = text[range].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = lines.dropFirst().map { $0.starts(with: margin) ? $0.dropFirst(margin.count) : $0 }
    return String(decoding: Array((lines.prefix(1) + rest).joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  fileprivate mutating func setEvaluator(_ name: String, _ json: String) throws(FlagError) {
    if range(of: .evaluators) == nil { try insertMember("$evaluators", "{}", after: "flags", in: .root) }
    try setMember(name, json, in: .evaluators)
  }
}

extension DocumentPath {
  fileprivate static func flag(_ key: String) -> DocumentPath { flags.appending(key) }
  fileprivate static func evaluator(_ name: String) -> DocumentPath { evaluators.appending(name) }
}

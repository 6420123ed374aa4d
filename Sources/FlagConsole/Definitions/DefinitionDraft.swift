public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// An edited definition of a flag, and the document version that it is based on.
public struct DefinitionDraft: Hashable, Sendable {
  /// The flag's key.
  public let key: String
  /// Whether the flag is switched on.
  public var isEnabled: Bool
  /// The name of the variant that is served if the rule chooses none; nil for the code's default.
  public var defaultVariant: String?
  /// The rule as the JSON text in the document; empty for no rule.
  public var rule: String
  /// The names of the variants.
  public let variants: [String]
  /// The version of the document.
  public private(set) var version: DefinitionVersion

  /// Returns the same draft, based on another version of the document.
  public func based(on version: String) -> DefinitionDraft {
    var draft = self
    draft.version = DefinitionVersion(rawValue: version)
    return draft
  }
}

extension DefinitionDraft {
  /// Reads a flag's definition.
  ///
  /// - Throws: An error if the document has no such flag, or the flag is not an object.
  public init(_ key: String, in stored: StoredDefinitions) throws(FlagError) {
    let text = try DefinitionText(key, in: stored.text)
    let fields = try FlagValue.reading(json: String(decoding: stored.text[text.range], as: UTF8.self)).fields ?? [:]
    self.key = key
    isEnabled = fields["state"] == .string("ENABLED")
    if case .string(let name)? = fields["defaultVariant"], !name.isEmpty { defaultVariant = name }
    let written = text.members["targeting"].map { String(decoding: stored.text[$0], as: UTF8.self) } ?? ""
    rule = fields["targeting"] == nil || fields["targeting"] == .object([:]) ? "" : written.unindented
    variants = (fields["variants"]?.fields ?? [:]).keys.sorted()
    version = stored.version
  }

  /// The splits of the rule; empty if the rule is not JSON.
  public var splits: [WeightedSplit] {
    do throws(FlagError) {
      return rule.isEmpty ? [] : WeightedSplit.all(in: try FlagValue.reading(json: rule))
    } catch {
      return []
    }
  }

  /// Sets the weights of a split, in the order of its shares.
  ///
  /// - Throws: A parse error if the rule is not JSON, or an error if there is no such split or share.
  public mutating func setWeights(_ weights: [Int], ofSplit number: Int) throws(FlagError) {
    var splits = splits
    guard splits.indices.contains(number), splits[number].entries.count == weights.count,
      weights.allSatisfy({ $0 >= 0 })
    else {
      throw FlagError(.general, "expected a weight for each share of a split of the rule")
    }
    for (index, weight) in weights.enumerated() { splits[number].entries[index].weight = weight }
    rule = try WeightedSplit.setting(splits, in: rule)
  }
}

extension DefinitionDraft {
  /// Returns a document with the draft in place of the flag's definition; everything else stays as written.
  ///
  /// - Throws: A parse error, with line and column in the rule, if the rule is not JSON, or an error if the document
  ///   has no such flag.
  public func text(in document: [UInt8]) throws(FlagError) -> [UInt8] {
    let flag = try DefinitionText(key, in: document)
    let original = try FlagValue.reading(json: String(decoding: document[flag.range], as: UTF8.self)).fields ?? [:]
    var new: [(name: String, value: String)] = []
    let state = isEnabled ? "ENABLED" : "DISABLED"
    if original["state"] != .string(state) { new.append(("state", "\"\(state)\"")) }
    let oldDefault: String? = if case .string(let name)? = original["defaultVariant"] { name } else { nil }
    if (oldDefault ?? "") != (defaultVariant ?? "") {
      new.append(("defaultVariant", defaultVariant.map { FlagValue.string($0).description } ?? "null"))
    }
    let rule = rule.isBlank ? "{}" : rule
    let written = flag.members["targeting"].map { String(decoding: document[$0], as: UTF8.self) } ?? "{}"
    let value = try FlagValue.reading(json: rule)
    guard value.fields != nil else {
      throw FlagError(.parseError, "line 1, column 1: expected a rule, which is an object, found \(value.typeName)")
    }
    if written.unindented != rule { new.append(("targeting", rule.indented(like: written))) }
    return flag.replacing(new, in: document)
  }
}

private struct DefinitionText {
  let range: Range<Int>
  private(set) var members: [String: Range<Int>] = [:]

  init(_ key: String, in text: [UInt8]) throws(FlagError) {
    var found: (range: Range<Int>, members: [String: Range<Int>])?
    do throws(JSONError) {
      found = try JSONReader.read(text) { reader throws(JSONError) in try Self.find(key, &reader) }
    } catch {
      throw FlagError(error, in: text)
    }
    guard let found else { throw FlagError(.flagNotFound, "the document has no flag “\(key.prefix(100))”") }
    (range, members) = found
  }

  private static func find(
    _ key: String, _ reader: inout JSONReader
  ) throws(JSONError) -> (Range<Int>, [String: Range<Int>])? {
    var found: (Range<Int>, [String: Range<Int>])?
    try reader.enterObject()
    while let name = try reader.nextMember() {
      guard name == "flags" else { continue }
      found = nil
      try reader.enterObject()
      while let name = try reader.nextMember() {
        guard name.isIdentical(to: key) else { continue }
        var members: [String: Range<Int>] = [:]
        let mark = reader.mark
        let range = try reader.skipValue()
        reader.reset(to: mark)
        try reader.enterObject()
        while let member = try reader.nextMember() { members[member] = try reader.skipValue() }
        found = (range, members)
      }
    }
    return found
  }

  func replacing(_ new: [(name: String, value: String)], in document: [UInt8]) -> [UInt8] {
    var text = document
    let known = new.compactMap { member in members[member.name].map { (range: $0, value: member.value) } }
    for (range, value) in known.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      text.replaceSubrange(range, with: value.utf8)
    }
    // New members go right after the opening brace, whose offset the replacements inside the object did not move.
    for (name, value) in new.reversed() where members[name] == nil {
      text.insert(contentsOf: "\"\(name)\": \(value)\(members.isEmpty ? "" : ", ")".utf8, at: range.lowerBound + 1)
    }
    return text
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// The text without the indentation that all lines after the first have in common.
  fileprivate var unindented: String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    let margin = indentation
    return ([lines[0]] + lines.dropFirst().map { $0.dropFirst(margin) }).joined(separator: "\n")
  }

  /// Returns the text with the indentation of another text.
  fileprivate func indented(like other: String) -> String {
    replacing("\r", with: "").split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n" + String(repeating: " ", count: other.indentation))
  }

  private var indentation: Int {
    split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .map { $0.prefix { $0 == " " }.count }.min() ?? 0
  }
}

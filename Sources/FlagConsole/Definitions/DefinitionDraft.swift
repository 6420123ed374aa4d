public import FlagDefinitions
public import FlagDomain
import FlagJSON

/// An edited definition of a flag, and the document version that it is based on.
public struct DefinitionDraft: Hashable, Sendable {
  /// The flag's key.
  public let key: String
  /// Whether the flag is switched on; nil if its state is malformed, which stays as it is written.
  public var isEnabled: Bool?
  /// The state as it is written; nil if there is none.
  public let writtenState: FlagValue?
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
    try self.init(key, inText: stored.text, version: stored.version)
  }

  init(_ key: String, inText text: [UInt8], version: DefinitionVersion) throws(FlagError) {
    self = try Self(DefinitionText(key, in: text), key, in: text, version: version)
  }

  private init(
    _ text: DefinitionText, _ key: String, in document: [UInt8], version: DefinitionVersion
  ) throws(FlagError) {
    let fields = try FlagValue.reading(json: String(decoding: document[text.range], as: UTF8.self)).fields ?? [:]
    self.key = key
    writtenState = fields["state"]
    isEnabled =
      switch fields["state"] {
      case .string("ENABLED"): true
      case .string("DISABLED"): false
      default: nil
      }
    if case .string(let name)? = fields["defaultVariant"], !name.isEmpty { defaultVariant = name }
    let written = text.members["targeting"].map { String(decoding: document[$0], as: UTF8.self) } ?? ""
    rule = [nil, .null, .object([:])].contains(fields["targeting"]) ? "" : written.unindented
    variants = (fields["variants"]?.fields ?? [:]).keys.sorted()
    self.version = version
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

  /// Sets the shares of a split by percentages, in their order; those that are nil get the rest, in proportion.
  ///
  /// - Parameters:
  ///   - percentages: Numbers from 0 to 100 with at most six decimal places, as a person enters them.
  ///   - number: The number of the split.
  /// - Throws: An error if a number is malformed, if they do not add up, or if there is no such split or share.
  public mutating func setShares(_ percentages: [String?], ofSplit number: Int) throws(FlagError) {
    var splits = splits
    guard splits.indices.contains(number), splits[number].entries.count == percentages.count else {
      throw FlagError(.general, "expected a percentage for each share of a split of the rule")
    }
    try splits[number].setShares(percentages)
    rule = try WeightedSplit.setting(splits, in: rule)
  }
}

extension DefinitionDraft {
  /// Returns a document with the draft in place of the flag's definition; everything else stays as written.
  ///
  /// Only what differs from the document is written: a part that is malformed and was not edited stays as it is.
  ///
  /// - Throws: A parse error, with line and column in the rule, if the rule is not JSON, or an error if the document
  ///   has no such flag.
  public func text(in document: [UInt8]) throws(FlagError) -> [UInt8] {
    let flag = try DefinitionText(key, in: document)
    let old = try DefinitionDraft(flag, key, in: document, version: version)
    var new: [(name: String, value: String)] = []
    if let isEnabled, isEnabled != old.isEnabled { new.append(("state", isEnabled ? "\"ENABLED\"" : "\"DISABLED\"")) }
    if (old.defaultVariant ?? "") != (defaultVariant ?? "") {
      new.append(("defaultVariant", defaultVariant.map { FlagValue.string($0).description } ?? "null"))
    }
    if !(rule.isBlank && old.rule.isBlank), !rule.withoutReturns.isIdentical(to: old.rule.withoutReturns) {
      let written = flag.members["targeting"].map { String(decoding: document[$0], as: UTF8.self) } ?? "{}"
      new.append(("targeting", try checkedRule.indented(like: written)))
    }
    return flag.replacing(new, in: document)
  }

  /// The rule as it is written to a document: an empty object for no rule.
  private var checkedRule: String {
    get throws(FlagError) {
      if rule.isBlank { return "{}" }
      let value = try FlagValue.reading(json: rule)
      guard value.fields != nil else {
        throw FlagError(.parseError, "line 1, column 1: expected a rule, which is an object, found \(value.typeName)")
      }
      return rule
    }
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

  /// The text with the line ends of Unix; browsers send forms with others.
  fileprivate var withoutReturns: String { String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\r" })) }

  /// The text without the indentation that all lines after the first have in common.
  var unindented: String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    let margin = indentation
    return ([lines[0]] + lines.dropFirst().map { $0.dropFirst(margin) }).joined(separator: "\n")
  }

  /// Returns the text with the indentation of another text.
  fileprivate func indented(like other: String) -> String {
    withoutReturns.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n" + String(repeating: " ", count: other.indentation))
  }

  private var indentation: Int {
    split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .map { $0.prefix { $0 == " " }.count }.min() ?? 0
  }
}

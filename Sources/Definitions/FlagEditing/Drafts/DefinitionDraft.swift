package import FlagDefinitions
package import FlagDomain
import FlagJSON
import FlagReview

/// An edited definition of a flag, and the document version that it is based on.
package struct DefinitionDraft: Hashable, Sendable {
  /// The flag's key.
  package let key: String
  /// Whether the flag is switched on; nil if its state is malformed, which stays as it is written.
  package var isEnabled: Bool?
  /// The state as it is written; nil if there is none.
  package let writtenState: FlagValue?
  /// The name of the variant that is served if the rule chooses none; nil for the code's default.
  package var defaultVariant: String?
  /// The rule as the JSON text in the document; empty for no rule.
  package var rule: String
  /// The variants, in the order in which they are written.
  package var variantDrafts: [VariantDraft]
  /// The description, the owner and the day of expiry; nil if the metadata have none.
  package var about: [AboutField: String]
  /// The state of a retired flag, which ends when the flag is switched on; nil if it is not retired.
  package let retirement: FlagRetirement?
  /// The version of the document.
  package private(set) var version: DefinitionVersion

  /// Returns the same draft, based on another version of the document.
  package func based(on version: String) -> DefinitionDraft {
    var draft = self
    draft.version = DefinitionVersion(rawValue: version)
    return draft
  }
}

extension DefinitionDraft {
  /// Reads a flag's definition.
  ///
  /// - Throws: An error if the document has no such flag, or the flag is not an object.
  package init(_ key: String, in stored: StoredDefinitions) throws(FlagError) {
    self = try Self(key, in: FlagText(stored.text, of: key), version: stored.version)
  }

  init(_ key: String, in document: FlagText, version: DefinitionVersion) throws(FlagError) {
    let flag = try JSONEditor(document.source(of: key))
    let fields = try FlagValue.reading(json: flag.text).fields ?? [:]
    self.key = key
    writtenState = fields["state"]
    isEnabled =
      switch fields["state"] {
      case .string("ENABLED"): true
      case .string("DISABLED"): false
      default: nil
      }
    if case .string(let name)? = fields["defaultVariant"], !name.isEmpty { defaultVariant = name }
    let written = flag.source(of: DocumentPath.root.appending("targeting")) ?? ""
    rule = [nil, .null, .object([:])].contains(fields["targeting"]) ? "" : written.unindented
    let values = fields["variants"]?.fields ?? [:]
    variantDrafts = flag.names(in: DocumentPath.root.appending("variants")).compactMap { name in
      values[name].map { VariantDraft(writtenAs: FlagVariant(name, $0)) }
    }
    about = [AboutField: String](in: fields["metadata"])
    retirement = FlagRetirement(fields["metadata"]?.fields ?? [:])
    self.version = version
  }

  /// The splits of the rule; empty if the rule is not JSON.
  package var splits: [WeightedSplit] {
    do throws(FlagError) {
      return rule.isEmpty ? [] : WeightedSplit.all(in: try FlagValue.reading(json: rule))
    } catch {
      return []
    }
  }

  /// Sets the weights of a split, in the order of its shares.
  ///
  /// - Throws: A parse error if the rule is not JSON, or an error if there is no such split or share.
  package mutating func setWeights(_ weights: [Int], ofSplit number: Int) throws(FlagError) {
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
  package mutating func setShares(_ percentages: [String?], ofSplit number: Int) throws(FlagError) {
    var splits = splits
    guard splits.indices.contains(number), splits[number].entries.count == percentages.count else {
      throw FlagError(.general, "expected a percentage for each share of a split of the rule")
    }
    try splits[number].setShares(percentages)
    rule = try WeightedSplit.setting(splits, in: rule)
  }
}

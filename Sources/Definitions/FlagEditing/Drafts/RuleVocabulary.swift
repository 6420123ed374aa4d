import FlagDefinitions
import FlagDomain

/// The words that a rule can be written with.
public struct RuleVocabulary: Hashable, Sendable {
  /// The names of the operators.
  public let operators: [String]
  /// The names of the attributes that are known.
  public let attributes: [String]
  /// The names of the flag's variants.
  public let variants: [String]
  /// The names of the shared rules.
  public let evaluators: [String]
}

extension RuleVocabulary {
  /// The number of shared rules among which a person may still pick one.
  private static let maximumEvaluators = 1000

  /// Creates the words for a draft's rule from what its document has.
  package init(of draft: DefinitionDraft, _ suggestions: RuleSuggestions) {
    operators = (Operator.known.keys + ["$ref"]).sorted()
    attributes = suggestions.attributes.map(\.name) + ["$flagd.flagKey"]
    variants = draft.variants
    evaluators = Array(suggestions.evaluators.prefix(Self.maximumEvaluators))
  }

  /// The words as a JSON object, with a member for each kind.
  package var json: String {
    let kinds = ["operators": operators, "attributes": attributes, "variants": variants, "evaluators": evaluators]
    return FlagValue.object(kinds.mapValues { .array($0.map(FlagValue.string)) }).description
  }
}

import FlagDefinitions
public import FlagDomain
import FlagJSON

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
  /// The words as a JSON object, with a member for each kind.
  package var json: String {
    let kinds = ["operators": operators, "attributes": attributes, "variants": variants, "evaluators": evaluators]
    return FlagValue.object(kinds.mapValues { .array($0.map(FlagValue.string)) }).description
  }
}

extension ConsoleModel {
  /// Returns the words for a flag's rule.
  ///
  /// - Throws: An error if there are no definitions.
  public func vocabulary(of draft: DefinitionDraft) throws(FlagError) -> RuleVocabulary {
    let stored = try storedDefinitions
    let editor = try JSONEditor(stored.text)
    let users = options.testUsers.flatMap(\.attributes.keys) + options.ownUsers.prefix(100).flatMap(\.keys)
    let attributes = stored.document.attributes(of: draft.key)
      .union(users).union(["targetingKey", "countryCode", "segments", "$flagd.flagKey", "$flagd.timestamp"])
    return RuleVocabulary(
      operators: (Operator.known.keys + ["$ref"]).sorted(), attributes: attributes.sorted(), variants: draft.variants,
      evaluators: editor.names(in: DocumentPath.root.appending("$evaluators")).sorted())
  }
}

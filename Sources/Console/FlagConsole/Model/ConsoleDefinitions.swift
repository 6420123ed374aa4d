package import FlagDomain

/// The definitions behind a console's flags, for a console that explains and edits them.
///
/// All members are called from any thread, and none waits.
package protocol ConsoleDefinitions: AnyObject, Sendable {
  /// The facts that lists need of the definitions.
  var facts: DefinitionFacts { get }

  /// Returns a flag's definition as it is evaluated in a context; nil if the flag has none.
  func summary(of key: String, in context: EvaluationContext) -> DefinitionSummary?

  /// Returns the reason why a value is probably a mistake, as a sentence; nil if a definition has such a variant.
  func doubt(about value: FlagValue, of key: String) -> String?

  /// Returns the same definitions with the access of one console, or of a session of it.
  func session(with access: ConsoleAccess) -> Self

  /// Calls a closure after each change that is not one of the definitions, until the subscription ends.
  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription

  /// Calls a closure after each change of the definitions, until the subscription ends.
  func follow(_ onChange: @escaping @Sendable () -> Void) -> FlagSubscription
}

/// The facts that lists need of definitions: tags and owners, and which flags may have done their work, by key.
package struct DefinitionFacts: Sendable {
  /// The tags in the metadata of the flags that have some.
  package var tags: [String: [String]] = [:]
  /// The owners in the metadata.
  package var owners: [String: String] = [:]
  /// The reasons why a flag may have done its work that its definition alone shows.
  package var staleness: [String: FlagStaleness] = [:]

  /// Creates the facts of no definitions.
  package init() {}
}

/// A flag's definition in words.
package struct DefinitionSummary: Hashable, Sendable {
  /// The state: "On", "Off for everyone", or "Malformed".
  package let state: String
  /// The variant that is served if the rule chooses none; nil for the code's default.
  package let defaultVariant: String?
  /// The rule with its shares; nil without a rule.
  package let rule: String?
  /// The parts that differ from the first environment: "rule", "default variant"; empty if nothing does, or alone.
  package let differences: [String]
  /// The result for the user whom the console asks as, in a sentence; nil if nobody is asked for.
  package var explanation: String?
  /// Whether the definition can be edited here.
  package var isEditable = false

  /// Creates a summary.
  package init(state: String, defaultVariant: String? = nil, rule: String? = nil, differences: [String] = []) {
    (self.state, self.defaultVariant, self.rule, self.differences) = (state, defaultVariant, rule, differences)
  }
}

package import FlagDomain

/// The definitions behind a console's flags, for a console that explains and edits them.
///
/// All members are called from any thread, and none waits.
package protocol ConsoleDefinitions: AnyObject, Sendable {
  /// The facts that lists need of the definitions.
  var facts: DefinitionFacts { get }

  /// Returns a flag's definition, as it is evaluated in a context if there is one; nil if the flag has none.
  func summary(of key: String, in context: EvaluationContext?) -> DefinitionSummary?

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
  /// The states for everyone at the time of asking.
  package var reaches: [String: FlagReach] = [:]

  /// Creates the facts of no definitions.
  package init() {}
}

/// The state of a flag for everyone, not for one user.
package enum FlagReach: String, CaseIterable, Hashable, Sendable {
  case on, off
  /// A rule gives different values to different users.
  case partly

  /// The label that people see.
  package var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// A flag's definition in words.
package struct DefinitionSummary: Hashable, Sendable {
  /// The state: "On", "Off for everyone", or "Malformed".
  package let state: String
  /// The variant that is served if the rule chooses none; nil for the code's default.
  package let defaultVariant: String?
  /// The rule with its shares and the place of a rollout with times; nil without a rule.
  package let rule: String?
  /// The parts that differ from the first environment: "rule", "default variant"; empty if nothing does, or alone.
  package let differences: [String]
  /// The result for the user whom the console asks as, in a sentence; nil if nobody is asked for.
  package var explanation: String?
  /// Whether the definition can be edited here.
  package var isEditable = false
  /// The value that everyone gets, in words: "On for everyone", "20 for everyone", "Partly"; nil if the definition does not tell.
  package var everyone: String?
  /// Whether the rule leaves some users to the default variant.
  package var usesDefault = false
  /// Whether a time that is still to come changes what users get.
  package var isScheduled = false

  /// Creates a summary.
  package init(state: String, defaultVariant: String? = nil, rule: String? = nil, differences: [String] = []) {
    (self.state, self.defaultVariant, self.rule, self.differences) = (state, defaultVariant, rule, differences)
  }
}

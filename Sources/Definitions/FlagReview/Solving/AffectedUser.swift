package import FlagDomain

/// A user whom a change of a flag's definition gives another outcome.
package struct AffectedUser: Hashable, Sendable {
  /// The outcome before the change.
  package let old: FlagOutcome
  /// The outcome after the change.
  package let new: FlagOutcome
  /// The user's attributes that the rules depend on; the id is `targetingKey`.
  package let attributes: [String: FlagValue]
}

public import FlagDomain

/// A user whom a change of a flag's definition gives another outcome.
public struct AffectedUser: Hashable, Sendable {
  /// The outcome before the change.
  public let old: FlagOutcome
  /// The outcome after the change.
  public let new: FlagOutcome
  /// The user's attributes that the rules depend on; the id is `targetingKey`.
  public let attributes: [String: FlagValue]
}

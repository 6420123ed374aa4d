public import FlagDomain

/// The users who are asked for the effect of a change of definitions: a team's own.
public struct Audience: Hashable, Sendable {
  /// The attributes of the users, each of whom is asked once, in order; empty to ask nobody.
  ///
  /// A user without a `targetingKey` gets an id by the place in the list.
  public var users: [[String: FlagValue]]
  /// The maximum number of steps for evaluating all flags of a comparison together.
  ///
  /// A step is an operator or a value of a rule that is reached, 64 bytes that it reads, or an attribute that a user
  /// has. If the steps do not suffice, fewer users are asked; their number is the same in every run, because time does
  /// not count. The last evaluation of a run may exceed the remaining steps.
  public var steps: Int
  /// The attribute, as rules name it, whose values are also reported as separate segments; nil for no segments.
  public var attribute: String?

  /// The default limit of steps for a comparison: about ten seconds in a release build at most.
  public static let usualSteps = 50_000_000

  /// Creates an audience.
  ///
  /// - Parameters:
  ///   - users: The attributes of the users; empty to ask nobody.
  ///   - steps: The maximum number of steps for all evaluations.
  ///   - attribute: The attribute whose values are also reported as separate segments.
  public init(users: [[String: FlagValue]] = [], steps: Int = usualSteps, attribute: String? = nil) {
    (self.users, self.steps, self.attribute) = (users, max(0, steps), attribute)
  }

  /// Whether no user has an id, so that the shares of a split say more than asking these users would.
  var hasUnknownIDs: Bool { users.allSatisfy { $0.member("targetingKey") == nil } }
}

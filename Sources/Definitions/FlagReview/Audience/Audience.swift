public import FlagDomain
import FlagSupport

/// The simulated users for estimating the effect of a change of definitions: the same in every run.
public struct Audience: Hashable, Sendable {
  /// The number of users to evaluate for each flag, at least one, if ``steps`` suffice.
  public var users: Int
  /// The seed for drawing users.
  public var seed: UInt64
  /// The sets of attributes, from which each user gets a random one; empty to assume attributes.
  ///
  /// An assumed attribute is drawn from the values that the rules compare it with, another value, and no value.
  /// Estimated shares therefore reflect these assumptions, and not real populations, such as the number of people in a
  /// country. A user whose attributes have no `targetingKey` gets a unique id.
  public var profiles: [[String: FlagValue]]
  /// The maximum number of steps for evaluating all flags of an estimate together.
  ///
  /// A step is an operator or a value of a rule that is reached, 64 bytes that it reads, or an attribute that a user
  /// gets. If the steps do not suffice, fewer users are evaluated; their number is the same in every run, because time
  /// does not count. The last evaluation of a run may exceed the remaining steps.
  public var steps: Int
  /// The attribute, as rules name it, whose values are also reported as separate segments; nil for no segments.
  public var attribute: String?

  /// The default limit of steps for a comparison: about ten seconds in a release build at most.
  public static let usualSteps = 50_000_000

  /// Creates an audience.
  ///
  /// - Parameters:
  ///   - users: The number of users to evaluate for each flag, at least one.
  ///   - seed: The seed for drawing users.
  ///   - profiles: The attributes of users; empty to assume attributes.
  ///   - steps: The maximum number of steps for all evaluations.
  ///   - attribute: The attribute whose values are also reported as separate segments.
  public init(
    users: Int = 10_000, seed: UInt64 = 1, profiles: [[String: FlagValue]] = [], steps: Int = usualSteps,
    attribute: String? = nil
  ) {
    self.users = max(1, users)
    self.seed = seed
    self.profiles = profiles
    self.steps = max(0, steps)
    self.attribute = attribute
  }

  /// Whether no profile has an id, so that users are distributed evenly over the shares of a split.
  var hasUnknownIDs: Bool { profiles.allSatisfy { $0.member("targetingKey") == nil } }

  /// Returns the attributes of the next user, drawn at random; the number makes an id unique.
  func user(
    _ number: Int, _ assumed: AssumedAttributes.Candidates, _ generator: inout SplitMix64
  ) -> [String: FlagValue] {
    var attributes =
      profiles.isEmpty
      ? assumed.draw(forUser: number, &generator) : profiles[Int.random(in: profiles.indices, using: &generator)]
    if attributes.member("targetingKey") == nil { attributes["targetingKey"] = .string("user-\(number)") }
    return attributes
  }
}

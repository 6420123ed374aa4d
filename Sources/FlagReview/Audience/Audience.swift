public import FlagDomain

/// The users among whom a change of definitions is looked at: made up, and the same in every run.
public struct Audience: Hashable, Sendable {
  /// How many users are asked about each flag, at least one, if ``steps`` last.
  public var users: Int
  /// What decides which users are drawn.
  public var seed: UInt64
  /// The attributes of users, of which each user is given those of one that is drawn; none where they are assumed.
  ///
  /// Assumed attributes are drawn from the values that the rules compare them with, one that is none of these, and
  /// having none. So a share is estimated as it would be; how many people live in a country nobody knows here. A user
  /// whose attributes have no `targetingKey` is given an id of their own.
  public var profiles: [[String: FlagValue]]
  /// The most steps that asking takes, about all flags that are asked about together.
  ///
  /// A step is an operator or a value of a rule that is reached, 64 bytes that it reads, or an attribute that a user is
  /// given. Where they do not last, fewer users are asked, and as many in every run: time does not count. The last
  /// evaluation of a run may take more than what is left.
  public var steps: Int
  /// The attribute, as rules name it, by whose values the shares are told apart, too; nil for none.
  public var attribute: String?

  /// The steps that a comparison may take unless it is told otherwise: some ten seconds of a release build at most.
  public static let usualSteps = 50_000_000

  /// Creates an audience.
  ///
  /// - Parameters:
  ///   - users: How many users are asked about each flag, at least one.
  ///   - seed: What decides which users are drawn.
  ///   - profiles: The attributes of users; none where they are assumed.
  ///   - steps: The most steps that asking takes in all.
  ///   - attribute: The attribute by whose values the shares are told apart, too.
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
}

extension Audience {
  /// Whether users have ids of which nothing is known, so that they are spread evenly over the shares of a split.
  var hasUnknownIDs: Bool { profiles.allSatisfy { $0.member("targetingKey") == nil } }

  /// Returns the user of a number, who is drawn next.
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

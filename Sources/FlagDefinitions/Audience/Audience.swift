public import FlagDomain

/// The users among whom a change of definitions is looked at: made up, and the same in every run.
public struct Audience: Hashable, Sendable {
  /// How many users are asked, at least one.
  public var users: Int
  /// What decides which users are drawn.
  public var seed: UInt64
  /// The attributes of users, of which each user is given those of one that is drawn; none where they are assumed.
  ///
  /// Assumed attributes are drawn from the values that the rules compare them with, one that is none of these, and
  /// having none. So a share is estimated as it would be; how many people live in a country nobody knows here. A user
  /// whose attributes have no `targetingKey` is given an id of their own.
  public var profiles: [[String: FlagValue]]

  /// Creates an audience.
  ///
  /// - Parameters:
  ///   - users: How many users are asked, at least one.
  ///   - seed: What decides which users are drawn.
  ///   - profiles: The attributes of users; none where they are assumed.
  public init(users: Int = 10_000, seed: UInt64 = 1, profiles: [[String: FlagValue]] = []) {
    self.users = max(1, users)
    self.seed = seed
    self.profiles = profiles
  }
}

extension Audience {
  /// Whether users have ids of which nothing is known, so that they are spread evenly over the shares of a split.
  var hasUnknownIDs: Bool { profiles.allSatisfy { $0.member("targetingKey") == nil } }

  /// Hands over one user after the other.
  func forEachUser(_ assumed: AssumedAttributes, _ body: (EvaluationContext) -> Void) {
    var generator = SplitMix64(state: seed)
    for number in 0..<users {
      var attributes =
        profiles.isEmpty
        ? assumed.draw(forUser: number, &generator)
        : profiles[Int.random(in: profiles.indices, using: &generator)]
      if attributes.member("targetingKey") == nil { attributes["targetingKey"] = .string("user-\(number)") }
      body(EvaluationContext(attributes: attributes))
    }
  }
}

/// Random numbers that are the same in every run (Steele, Lea and Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

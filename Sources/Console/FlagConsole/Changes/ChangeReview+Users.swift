import FlagDefinitions
public import FlagDomain
public import FlagReview

/// A user who was tried in a console, and the user's outcome before and after a change.
public struct TriedUser: Hashable, Sendable {
  /// The user; nil for a visitor.
  public let user: FlagUser?
  /// Whether the console shows the flags of this user now.
  public let isCurrent: Bool
  /// The outcome before the change.
  public let old: FlagOutcome
  /// The outcome after the change.
  public let new: FlagOutcome

  /// Whether the change gives the user another variant or value.
  public var isAffected: Bool { old != new }
}

/// The users whom a change gives another variant, and the users who were asked to find that out.
public struct DefinitionEffect: Hashable, Sendable {
  /// The users who were asked.
  public enum Asked: Hashable, Sendable {
    /// Nobody: the shares follow from the definitions, and hold for any users.
    case nobody
    /// All of the console's own users.
    case ownUsers
    /// A random sample of the console's own users.
    case sampleOfOwnUsers
    /// Users whose attributes were made up from the values in the rules; no share of real users follows from them.
    case assumedUsers
  }

  /// The users who were asked.
  public let asked: Asked
  /// The shares of the users who were asked.
  public let estimate: AudienceEstimate

  /// The number of users who were asked.
  public var users: Int { estimate.users ?? 0 }
  /// The number of them who get another variant.
  public var affectedUsers: Int { Int((estimate.share * Double(users)).rounded()) }
  /// Half of the 95 % confidence interval of the share; 0 if nothing was sampled.
  public var margin: Double {
    guard asked == .sampleOfOwnUsers else { return 0 }
    return max(estimate.interval.upperBound - estimate.share, estimate.share - estimate.interval.lowerBound)
  }
}

extension ConsoleModel {
  /// Returns the outcomes of the users who were tried here.
  func triedUsers(of key: String, in comparison: DefinitionComparison) -> [TriedUser] {
    let (current, tried) = (user, state.withLock { $0.tried })
    let users = [current] + tried.filter { $0 != current }
    let outcomes = comparison.outcomes(of: key, for: users.map { EvaluationContext(user: $0) }, at: options.now())
    return zip(users, outcomes).map { user, outcome in
      TriedUser(user: user, isCurrent: user == current, old: outcome.old, new: outcome.new)
    }
  }

  /// Returns the effect of a flag's change: exact, among the console's own users, or else among assumed ones.
  ///
  /// A number of flags share the steps of one comparison.
  func effect(of key: String, in comparison: DefinitionComparison, amongFlags count: Int) -> DefinitionEffect {
    let (profiles, steps) = (options.ownUsers, Audience.usualSteps / max(1, count))
    let exact = comparison.estimate(of: key, among: Audience(users: 1, profiles: profiles, steps: 0), at: options.now())
    if exact.isExact { return DefinitionEffect(asked: .nobody, estimate: exact) }
    if !profiles.isEmpty, profiles.count <= options.askedUsers, profiles.allSatisfy({ $0["targetingKey"] != nil }) {
      let estimate = comparison.estimate(of: key, askingEach: profiles, at: options.now(), steps: steps)
      return DefinitionEffect(asked: .ownUsers, estimate: estimate)
    }
    let audience = Audience(users: options.askedUsers, profiles: profiles, steps: steps)
    return DefinitionEffect(
      asked: profiles.isEmpty ? .assumedUsers : .sampleOfOwnUsers,
      estimate: comparison.estimate(of: key, among: audience, at: options.now()))
  }
}

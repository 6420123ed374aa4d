import FlagDefinitions
package import FlagDomain
package import FlagReview

/// A test user, and the user's outcome before and after a change.
package struct TestUserOutcome: Hashable, Sendable {
  /// The user's name.
  package let name: String
  /// The outcome before the change.
  package let old: FlagOutcome
  /// The outcome after the change.
  package let new: FlagOutcome

  package init(name: String, old: FlagOutcome, new: FlagOutcome) { (self.name, self.old, self.new) = (name, old, new) }

  /// Whether the change gives the user another variant or value.
  package var isAffected: Bool { old != new }
}

/// A user who was tried in a console, and the user's outcome before and after a change.
package struct ConsoleUserOutcome: Hashable, Sendable {
  /// The user; nil for a visitor.
  package let user: FlagUser?
  /// Whether the console shows the flags of this user now.
  package let isCurrent: Bool
  /// The outcome before the change.
  package let old: FlagOutcome
  /// The outcome after the change.
  package let new: FlagOutcome

  package init(user: FlagUser?, isCurrent: Bool, old: FlagOutcome, new: FlagOutcome) {
    (self.user, self.isCurrent, self.old, self.new) = (user, isCurrent, old, new)
  }

  /// Whether the change gives the user another variant or value.
  package var isAffected: Bool { old != new }
}

/// The users whom a change gives another variant, and the users who were asked to find that out.
package struct DefinitionEffect: Hashable, Sendable {
  /// The users who were asked.
  package enum Asked: Hashable, Sendable {
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
  package let asked: Asked
  /// The shares of the users who were asked.
  package let estimate: AudienceEstimate

  package init(asked: Asked, estimate: AudienceEstimate) { (self.asked, self.estimate) = (asked, estimate) }

  /// The number of users who were asked.
  package var users: Int { estimate.users ?? 0 }
  /// The number of them who get another variant.
  package var affectedUsers: Int { Int((estimate.share * Double(users)).rounded()) }
  /// Half of the 95 % confidence interval of the share; 0 if nothing was sampled.
  package var margin: Double {
    guard asked == .sampleOfOwnUsers else { return 0 }
    return max(estimate.interval.upperBound - estimate.share, estimate.share - estimate.interval.lowerBound)
  }
}

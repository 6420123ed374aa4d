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

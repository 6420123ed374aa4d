package import FlagDefinitions
package import FlagDomain
package import FlagReview

/// The problems of a change, the flags that it changes, and the users whom it gives other variants.
package struct ChangeReview: Sendable {
  /// The reason why the document cannot be changed so: a parse error if an edited part is not JSON; nil if it can.
  package var problem: FlagError?
  /// The problems of the changed flags, with lines and columns in the changed document.
  package var diagnostics: [DocumentDiagnostic] = []
  /// The flags that differ, and those that the change is about, which come first; empty if the changed document cannot
  /// be served.
  package var flags: [ChangedFlag] = []
  /// The differences of the document besides its flags, a phrase for each part: "shared rule spain removed".
  package var otherWords: [String] = []
  /// The number of further flags that differ, and are not among the reviewed ones.
  package var omittedFlags = 0
  /// The fingerprint of all that differs, and of what decides beside it: saving compares it with the one that was seen.
  package var fingerprint = ""
  /// Whether the change leaves the document as it is.
  package var isUnchanged = false

  /// Whether the changed document can be served, and the change may be saved.
  package var isServable: Bool { problem == nil && !diagnostics.contains { $0.severity == .error } }
  /// The flags that differ although the change is not about them.
  package var others: [ChangedFlag] { flags.filter { !$0.isMeant } }

  /// The maximum number of flags that are reviewed.
  package static let maximumFlags = 50
}

/// The review of one flag in a change.
package struct ChangedFlag: Sendable {
  /// The flag's key.
  package let key: String
  /// Whether the change is about this flag.
  package let isMeant: Bool
  /// The difference in words, a phrase for each part; empty if the flag stays as it is.
  package let words: [String]
  /// The difference in lines.
  package let lines: LineDifference
  /// The test users, those who get another variant first.
  package let testUsers: [TestUserOutcome]
  /// The users who were tried in this console, the current one first.
  package let tried: [ConsoleUserOutcome]
  /// The users who get another variant at once among all that were asked.
  package let effect: ChangeEffect
  /// The times to come from which the new rule is another one.
  package let plan: [PlannedStep]

  package init(
    key: String, isMeant: Bool, words: [String], lines: LineDifference, testUsers: [TestUserOutcome],
    tried: [ConsoleUserOutcome], effect: ChangeEffect, plan: [PlannedStep] = []
  ) {
    (self.key, self.isMeant, self.words, self.lines) = (key, isMeant, words, lines)
    (self.testUsers, self.tried, self.effect, self.plan) = (testUsers, tried, effect, plan)
  }
}

/// A time from which a flag's rule is another one, and the users who get another variant then.
package struct PlannedStep: Hashable, Sendable {
  /// The time in seconds since 1970-01-01 UTC.
  package let time: Int64
  /// The rule from then on: "10 % get on, else off".
  package let words: String
  /// The known users who get another variant: the names of test users, and the ids of those who were tried.
  package let users: [String]
  /// The number of known users.
  package let knownUsers: Int
  /// The number of the editor's own users who get another variant.
  package let movedOwnUsers: Int
  /// The number of the editor's own users who were asked; zero if it has none.
  package let ownUsers: Int

  package init(
    time: Int64, words: String, users: [String], knownUsers: Int, movedOwnUsers: Int = 0, ownUsers: Int = 0
  ) {
    (self.time, self.words, self.users, self.knownUsers) = (time, words, users, knownUsers)
    (self.movedOwnUsers, self.ownUsers) = (movedOwnUsers, ownUsers)
  }
}

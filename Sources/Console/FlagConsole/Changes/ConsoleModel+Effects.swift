import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview

extension ConsoleModel {
  /// Returns the outcomes of the users who were tried here.
  func triedUsers(of key: String, in comparison: DefinitionComparison) -> [TriedUser] {
    let (current, tried) = (user, state.withLock { $0.tried })
    let users = [current] + tried.filter { $0 != current }
    let outcomes = comparison.outcomes(of: key, for: users.map(context(of:)), at: options.now())
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

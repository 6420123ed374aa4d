import FlagDefinitions
package import FlagDomain

extension DefinitionComparison {
  /// Returns a flag's outcomes for single users, before and after the change, in the order of the users.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - users: The users, each as the context of an evaluation.
  ///   - seconds: The time that rules see, in seconds since 1970-01-01 UTC.
  ///   - steps: The maximum number of steps for all evaluations, as for an ``Audience``.
  /// - Returns: The outcomes; fewer than there are users if the steps do not suffice.
  package func outcomes(
    of key: String, for users: [EvaluationContext], at seconds: Int64, steps: Int = Audience.usualSteps
  ) -> [(old: FlagOutcome, new: FlagOutcome)] {
    var work = 0
    var outcomes: [(old: FlagOutcome, new: FlagOutcome)] = []
    for user in users {
      guard work < steps else { break }
      outcomes.append(
        (
          old.document.outcome(of: key, in: user, at: seconds, counting: &work),
          new.document.outcome(of: key, in: user, at: seconds, counting: &work)
        ))
    }
    return outcomes
  }

  /// Returns the share of users, each of whom is asked once, that a flag's change gives another outcome.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - users: The attributes of the users.
  ///   - seconds: The time that rules see, in seconds since 1970-01-01 UTC.
  ///   - steps: The maximum number of steps for evaluating the flag; users after that are not asked.
  /// - Returns: The shares of the users who were asked; their number is ``AudienceEstimate/users``.
  package func estimate(
    of key: String, askingEach users: [[String: FlagValue]], at seconds: Int64, steps: Int = Audience.usualSteps
  ) -> AudienceEstimate {
    let outcomes = outcomes(of: key, for: users.map { EvaluationContext(attributes: $0) }, at: seconds, steps: steps)
    var counts: [[FlagOutcome]: Int] = [:]
    for (old, new) in outcomes where old != new { counts[[old, new], default: 0] += 1 }
    func share(_ count: Int) -> Double { outcomes.isEmpty ? 0 : Double(count) / Double(outcomes.count) }
    return AudienceEstimate(
      users: outcomes.count, isCutShort: outcomes.count < users.count,
      moves: counts.map { AudienceEstimate.Move(old: $0[0], new: $0[1], share: share($1)) },
      share: share(counts.values.reduce(0, +)))
  }
}

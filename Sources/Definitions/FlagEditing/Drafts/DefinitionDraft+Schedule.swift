package import FlagDomain
import FlagJSON

extension DefinitionDraft {
  /// The schedule that overrides the rest of the rule; nil if the rule is not written as one.
  package var schedule: RolloutSchedule? { scheduledRule?.schedule }

  /// The splits that are shares of users, by their numbers: those of a schedule's steps are not.
  package var shares: [(number: Int, split: WeightedSplit)] {
    let condition = scheduledRule == nil ? nil : DocumentPath.root.appending("if").appending(0)
    return splits.enumerated().filter { $1.path.prefix(2) != condition }.map { ($0, $1) }
  }

  private var scheduledRule: ScheduledRule? {
    do throws(FlagError) {
      return rule.isEmpty ? nil : ScheduledRule(try FlagValue.reading(json: rule), of: key)
    } catch {
      return nil
    }
  }

  /// Replaces or removes the schedule of the rule, or puts one around a rule without; the rest stays as it is written,
  /// and decides before, after and beside it.
  ///
  /// - Parameter new: The schedule; nil for none.
  /// - Throws: An error if the schedule cannot be: an unknown variant, no time, or times in another order.
  package mutating func setSchedule(_ new: RolloutSchedule?) throws(FlagError) {
    try new?.check(among: variants)
    switch (scheduledRule, new) {
    case (let old?, let new?): rule = try old.replacing(in: rule, with: new, of: key)
    case (let old?, nil): rule = try old.without(rule).unindented
    case (nil, let new?): rule = new.rule(around: rule.isBlank ? "" : rule, of: key)
    case (nil, nil): break
    }
  }
}

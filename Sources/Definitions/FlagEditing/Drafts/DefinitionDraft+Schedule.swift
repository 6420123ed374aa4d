public import FlagDomain
import FlagJSON

extension DefinitionDraft {
  /// The schedule that overrides the rest of the rule; nil if the rule is not written as one.
  public var schedule: RolloutSchedule? { scheduledRule?.schedule }

  /// The splits that are shares of users, by their numbers: those of a schedule's steps are not.
  public var shares: [(number: Int, split: WeightedSplit)] {
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

  /// Puts a schedule around the rule, which decides before, after and beside it.
  ///
  /// - Throws: An error if the schedule cannot be: an unknown variant, no time, or times in another order.
  public mutating func schedule(_ schedule: RolloutSchedule) throws(FlagError) {
    try schedule.check(among: variants)
    rule = schedule.rule(around: rule.allSatisfy(\.isWhitespace) ? "" : rule, of: key)
  }

  /// Replaces or removes the schedule of the rule, or puts one around a rule without; the rest stays as it is written.
  ///
  /// - Parameter new: The schedule; nil for none.
  /// - Throws: An error if the schedule cannot be: an unknown variant, no time, or times in another order.
  public mutating func setSchedule(_ new: RolloutSchedule?) throws(FlagError) {
    guard let old = scheduledRule else {
      if let new { try schedule(new) }
      return
    }
    guard let new else {
      rule = try old.without(rule).unindented
      return
    }
    try new.check(among: variants)
    rule = try old.replacing(in: rule, with: new, of: key)
  }
}

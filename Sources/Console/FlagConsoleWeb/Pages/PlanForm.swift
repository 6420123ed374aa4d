import FlagConsole
import FlagDomain
import FlagEditing
import FlagSupport

/// The texts in the fields of a rollout with times.
struct PlanForm {
  var variant: String
  /// The percentage and the time of each step.
  var steps: [(percent: String, time: String)]
  var end: String

  init(_ schedule: RolloutSchedule) {
    variant = schedule.variant
    steps = schedule.steps.map { ("\($0.percent)", Self.text($0.time)) }
    end = schedule.end.map(Self.text) ?? ""
  }

  /// Reads the fields of a form; nil if it has none.
  init?(_ form: ConsoleForm) {
    guard let variant = form["plan-variant"] else { return nil }
    self.variant = variant
    end = form["plan-end"] ?? ""
    steps = []
    while let percent = form["plan-percent-\(steps.count)"], let time = form["plan-time-\(steps.count)"] {
      steps.append((percent, time))
    }
  }

  /// All of the texts in one, to tell whether a field was edited.
  var text: String { ([variant, end] + steps.map { "\($0.percent) \($0.time)" }).joined(separator: "|") }

  /// Returns the schedule that the fields say.
  func schedule() throws(FlagError) -> RolloutSchedule {
    var read: [RolloutSchedule.Step] = []
    for (index, step) in steps.enumerated() {
      let percent = step.percent.filter { $0 != " " && $0 != "%" }
      guard let share = Int(percent), (0...100).contains(share) else {
        throw FlagError(
          .typeMismatch,
          "share of step \(index + 1): expected a whole number from 0 to 100, found \(Self.found(step.percent))")
      }
      read.append(.init(percent: share, time: try Self.time(step.time, "time of step \(index + 1)")))
    }
    return RolloutSchedule(variant: variant, steps: read, end: end.isEmpty ? nil : try Self.time(end, "end"))
  }

  /// Returns a time as a field has it: in UTC, without a zone, and without seconds if there are none.
  static func text(_ time: Int64) -> String {
    let text = "\(Timestamp(secondsSince1970: time))".dropLast()
    return String(text.hasSuffix(":00") ? text.dropLast(3) : text)
  }

  private static func time(_ text: String, _ name: String) throws(FlagError) -> Int64 {
    guard let time = Timestamp(text + "Z") ?? Timestamp(text + ":00Z"), time.secondsSince1970 >= 0 else {
      throw FlagError(
        .typeMismatch, "\(name): expected a date and a time in UTC such as 2027-01-15T08:00, found \(found(text))")
    }
    return time.secondsSince1970
  }

  private static func found(_ text: String) -> String { text.isEmpty ? "nothing" : "“\(text.prefix(60))”" }
}

extension EditorForm {
  /// Reads the fields of a rollout with times.
  ///
  /// - Throws: An error if a field is wrong, or if the rule was edited as well.
  mutating func setPlan(_ form: ConsoleForm) throws(FlagError) {
    guard var fields = PlanForm(form), let was = form["plan-was"], fields.text != was else { return }
    // What a button removes need not be right.
    if form["do"] == "plan-remove" { return }
    let shown = draft.schedule.map { PlanForm($0) }
    guard let shown, shown.text == was else {
      throw FlagError(
        .general, "the plan and the rule were both edited: expected one of them, found the plan of another rule")
    }
    for (index, step) in shown.steps.enumerated() where form["do"] == "plan-remove:\(index)" {
      if fields.steps.indices.contains(index) { fields.steps[index] = step }
    }
    try draft.setSchedule(try fields.schedule())
  }

  /// Begins, extends, shortens or removes a plan.
  ///
  /// - Parameters:
  ///   - action: The name of the action.
  ///   - number: The number that it is about: a time for the beginning, and else the number of a step.
  /// - Throws: An error if the plan cannot be.
  mutating func plan(_ action: String, _ number: Int64?) throws(FlagError) {
    switch (action, draft.schedule, number) {
    case ("plan-start", nil, let start?): try draft.setSchedule(firstPlan(from: start))
    case ("plan-add", let schedule?, _): try draft.setSchedule(schedule.extended)
    case ("plan-remove", let schedule?, let index?):
      let rest = schedule.steps.enumerated().filter { $0.offset != index }.map(\.element)
      let isEmpty = rest.isEmpty && schedule.end == nil
      try draft.setSchedule(
        isEmpty ? nil : RolloutSchedule(variant: schedule.variant, steps: rest, end: schedule.end))
    case ("plan-remove", _, nil): try draft.setSchedule(nil)
    default: break
    }
  }

  /// Returns a plan to begin with: another variant than the default for 10 %, a day later 50 %, a day later all.
  private func firstPlan(from start: Int64) -> RolloutSchedule {
    let variant = draft.variants.first { $0 != draft.defaultVariant } ?? draft.variants.first ?? ""
    let start = Int64(min(Int128(start), RolloutSchedule.timeLimit))
    let steps = [10, 50, 100].enumerated().map { day, percent in
      RolloutSchedule.Step(percent: percent, time: start + Int64(day) * Timestamp.secondsPerDay)
    }
    return RolloutSchedule(variant: variant, steps: steps)
  }
}

extension RolloutSchedule {
  /// The schedule with one more step, as long after the last one as that is after the one before.
  fileprivate var extended: RolloutSchedule {
    let days = Timestamp.secondsPerDay
    guard let last = steps.last else {
      let time = max(0, (end ?? 0) - days)
      return RolloutSchedule(variant: variant, steps: [Step(percent: 100, time: time)], end: end)
    }
    let pause = steps.count > 1 ? last.time - steps[steps.count - 2].time : days
    let next = Step(percent: last.percent + (100 - last.percent + 1) / 2, time: last.time + max(1, pause))
    // A plan that ends before the new step ends after it.
    let end = end.map { $0 <= next.time ? next.time + pause : $0 }
    return RolloutSchedule(variant: variant, steps: steps + [next], end: end)
  }
}

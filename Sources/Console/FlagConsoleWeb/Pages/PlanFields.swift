import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagEditing
import FlagSupport

/// The fields of a rollout with times, with the users whom each time moves; or the button that begins one.
struct PlanFields {
  let form: EditorForm
  /// The times of the plan with the users whom they move, in their order.
  var steps: [PlannedStep] = []
  /// The time in seconds since 1970-01-01 UTC.
  let now: Int64

  /// Creates the fields of a form's plan.
  init(form: EditorForm, _ editor: DefinitionEditor, _ users: ConsoleUsers) {
    (self.form, now) = (form, editor.options.now())
    do throws(FlagError) {
      steps = try editor.scheduledSteps(of: form.draft, for: users)
    } catch {
      steps = []  // the page says why the definition cannot be read
    }
  }

  var html: HTML {
    """
    <div class="plan" id="plan"><h2>Rollout with times</h2>
    \(form.draft.schedule.map(fields) ?? beginning)</div>
    """
  }

  private var beginning: HTML {
    let hour: Int64 = (now / 3600 + 1) * 3600
    return """
      <p class="muted">A variant for more and more users, each step from a time on; the rule decides for all others.</p>
      <div class="buttons"><button class="plain" name="do" value="plan-start:\("\(hour)")" id="plan-start">\
      Plan a rollout</button></div>
      """
  }

  private func fields(_ schedule: RolloutSchedule) -> HTML {
    """
    <p class="warning" data-text\(form.draft.isEnabled == true ? " hidden" as HTML : nil)>The flag is off: until it is on, \
    the plan does nothing.</p>
    <p class="muted">Times are in UTC. Before, beside and after the plan, the rest of the rule decides.</p>
    <label class="select wide">Variant<select name="plan-variant" id="plan-variant">\
    \(HTML.options(form.draft.variants, chosen: form.text(in: "plan-variant", schedule.variant)))</select></label>
    <ol class="steps">\(schedule.steps.enumerated().map { step($0, $1, of: schedule) })</ol>
    <div class="stage"><label class="moment">Ends; empty for never\(moment("plan-end", schedule.end))</label>\
    \(moved(schedule.steps.count))</div>
    <input type="hidden" name="plan-was" value="\(exact: PlanForm(schedule).text)">
    <div class="buttons"><button class="plain" name="do" value="plan-add" id="plan-add">Add a step</button>\
    <button class="plain" name="do" value="plan-remove" id="plan-remove">Remove the plan</button></div>
    """
  }

  private func step(_ index: Int, _ step: RolloutSchedule.Step, of schedule: RolloutSchedule) -> HTML {
    let (time, percent) = ("plan-time-\(index)", "plan-percent-\(index)")
    let isNow = step.time <= now && !(index + 1 < schedule.times.count && schedule.times[index + 1] <= now)
    return """
      <li class="stage"\(isNow ? " aria-current=\"step\"" as HTML : nil)><label class="moment">\
      <span>From\(isNow ? " <span class=\"tag\">now</span>" as HTML : nil)</span>\
      \(moment(time, step.time))</label>\
      <label class="portion">Share<span class="percent"><input name="\(percent)" id="\(percent)" inputmode="numeric" \
      autocomplete="off" value="\(exact: form.text(in: percent, "\(step.percent)"))"> %</span></label>\
      <button class="icon-button" name="do" value="plan-remove:\(index)" id="plan-remove-\(index)" \
      aria-label="Remove step \(index + 1)">\(Icon.no)</button>\(moved(index))</li>
      """
  }

  private func moment(_ name: String, _ time: Int64?) -> HTML {
    // Browsers show and ask for seconds only with such a step.
    let step: HTML? = (time ?? 0) % 60 == 0 ? nil : " step=\"1\""
    return """
      <input type="datetime-local"\(step) name="\(name)" id="\(name)" \
      value="\(exact: form.text(in: name, time.map(InstantText.text) ?? ""))">
      """
  }

  private func moved(_ index: Int) -> HTML {
    "<span class=\"moved\" data-text>\(steps.indices.contains(index) ? steps[index].moved ?? "" : "")</span>"
  }
}

/// The texts in the fields of a rollout with times.
struct PlanForm {
  var variant: String
  /// The percentage and the time of each step.
  var steps: [(percent: String, time: String)]
  var end: String

  init(_ schedule: RolloutSchedule) {
    variant = schedule.variant
    steps = schedule.steps.map { ("\($0.percent)", InstantText.text(of: $0.time)) }
    end = schedule.end.map(InstantText.text) ?? ""
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

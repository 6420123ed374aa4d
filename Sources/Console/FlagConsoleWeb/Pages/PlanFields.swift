import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagEditing
import FlagSupport

/// The fields of a rollout with times, with the users whom each time moves; or the button that begins one.
struct PlanFields {
  let form: EditorForm
  /// The users whom the times of the plan move, in their order.
  var moves: [ScheduledMove] = []
  /// The time in seconds since 1970-01-01 UTC.
  let now: Int64

  /// Creates the fields of a form's plan.
  init(form: EditorForm, _ editor: DefinitionEditor, _ users: ConsoleUsers) {
    (self.form, now) = (form, editor.options.now())
    do throws(FlagError) {
      moves = try editor.scheduledMoves(of: form.draft, for: users)
    } catch {
      moves = []  // the page says why the definition cannot be read
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
    \(form.draft.variants.map { name in
      let isChosen = name == form.text(in: "plan-variant", schedule.variant)
      return """
        <option value="\(exact: name)"\(isChosen ? " selected" as HTML : nil)>\(name.shortened())</option>
        """
    })</select></label>
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
      value="\(exact: form.text(in: name, time.map(PlanForm.text) ?? ""))">
      """
  }

  private func moved(_ index: Int) -> HTML {
    "<span class=\"moved\" data-text>\(moves.indices.contains(index) ? words(moves[index]) : nil)</span>"
  }

  /// The users whom a time moves, in words; nil if the console knows no users.
  private func words(_ move: ScheduledMove) -> HTML? {
    var words: [String] = []
    if move.knownUsers > 0 {
      let (count, all) = (move.users.isEmpty ? "none" : "\(move.users.count)", move.knownUsers)
      let names = move.users.prefix(5).map { $0.shortened(to: 40) } + (move.users.count > 5 ? ["…"] : [])
      words.append(
        "\(count) of \(all) \(all == 1 ? "user" : "users") known here"
          + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))"))
    }
    if move.ownUsers > 0 {
      let share = move.movedOwnUsers.percent(of: move.ownUsers)
      words.append("\(move.movedOwnUsers) of \(move.ownUsers) of your users (\(share))")
    }
    return words.isEmpty ? nil : "Moves \(words.joined(separator: "; "))"
  }
}

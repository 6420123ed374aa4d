import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagProviders
import Foundation

struct ScheduleCommand: Command {
  private var options = ChangeOptions()
  private var flag = ""
  private var variant: String?
  private var beginning: Int64?
  private var ramp: [RolloutSchedule.Step] = []
  private var end: Int64?
  private var isRemoval = false

  static var options: [Option<Self>] {
    Option("--variant", .text("NAME"), "the variant to serve", \.variant)
    Option("--on", .time, "the time from which all users get it (default: now)", \.beginning)
    Option("--off", .time, "the time from which the flag's rule decides again (default: never)", \.end)
    Option(
      "--ramp", .steps,
      """
      instead of --on: shares in percent with their times, such as
      10:2027-01-15T08:00:00Z,50:2027-01-16T08:00:00Z,100:2027-01-17T08:00:00Z
      """, \.ramp)
    Option("--remove", "removes the flag's schedule, instead of --variant; the rule around it stays", \.isRemoval)
    ChangeOptions.options.of(\.options)
  }

  static let summary = """
    Schedules a variant of a flag in a document, in place of the schedule that it has, or removes that, after showing
    the effect on users at each time.
    """
  static let usage = """
    schedule FLAG --variant NAME --flags FILE [--on TIME] [--off TIME] [option ...]
    schedule FLAG --variant NAME --etcd URL[,URL...] --set NAME [--on TIME] [--off TIME] [option ...]
    schedule FLAG --remove --flags FILE [option ...]
    """
  static let notes = """
    A TIME is as 2027-01-15T08:00:00Z, or a number of seconds since 1970. The schedule is an ordinary rule on
    $flagd.timestamp for any evaluator of the format; outside of it, the flag's current rule decides. To switch a flag
    off at a time, schedule its variant that is off.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    flag = try operands.one("FLAG")
    try options.check()
    if isRemoval {
      guard variant == nil, schedule.times.isEmpty else {
        throw UsageError("--variant NAME with its times or --remove is enough, found both")
      }
      return
    }
    if variant == nil { throw UsageError("--variant NAME is missing") }
    if beginning != nil, !ramp.isEmpty { throw UsageError("--on TIME or --ramp STEPS is enough, found both") }
    if beginning == nil, ramp.isEmpty, end == nil {
      throw UsageError("--on TIME, --ramp STEPS or --off TIME is missing")
    }
    let times = schedule.times
    if zip(times, times.dropFirst()).contains(where: { $0 >= $1 }) {
      throw UsageError("expected ascending times, found \(times.map(\.time).joined(separator: ", "))")
    }
  }

  private var schedule: RolloutSchedule {
    let steps = beginning.map { [RolloutSchedule.Step(percent: 100, time: $0)] } ?? ramp
    return RolloutSchedule(variant: variant ?? "", steps: steps, end: end)
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let old = try draft(in: options.current(on: terminal))
    if isRemoval, old.schedule == nil {
      throw .flag(flag, FlagError(.general, "expected a flag with a schedule, found none that this command writes"))
    }
    if !isRemoval, old.isEnabled != true {
      terminal.printError("flagctl: \(flag.excerpt): the flag is switched off: until it is on, a schedule does nothing")
    }
    let words = DocumentChangeLabels(
      source: "the schedule", reason: "schedule of \(flag)\(isRemoval ? " removed" : "")",
      times: Set(schedule.times + (old.schedule?.times ?? [])).sorted())
    return try options.run(words, on: terminal) { stored throws(ToolError) in
      var draft = try draft(in: stored)
      do throws(FlagError) {
        try draft.setSchedule(isRemoval ? nil : schedule)
        return try draft.text(in: stored.text)
      } catch {
        throw .flag(flag, error)
      }
    }
  }

  private func draft(in stored: StoredDefinitions) throws(ToolError) -> DefinitionDraft {
    return try mapError(try DefinitionDraft(flag, in: stored), ToolError.flag(flag))
  }
}

extension OptionValue<[RolloutSchedule.Step]> {
  fileprivate static var steps: Self {
    Self(.text("STEPS")) { (option, text) throws(UsageError) in
      var steps: [RolloutSchedule.Step] = []
      for text in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let percent = Int(parts[0]), (0...100).contains(percent),
          let time = Int64(time: parts[1])
        else { throw UsageError("\(option) has steps such as 10:2027-01-15T08:00:00Z, found \(text.excerpt)") }
        steps.append(RolloutSchedule.Step(percent: percent, time: time))
      }
      return steps
    }
  }
}

import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagProviders

struct ScheduleCommand: ChangeCommand {
  var change = ChangeOptions()
  var operands: [String] = []
  private var variant: String?
  private var beginning: Int64?
  private var ramp: [RolloutSchedule.Step] = []
  private var end: Int64?
  private var isRemoval = false

  static var options: [Option<Self>] {
    Option("--variant", .text("VARIANT"), "the variant to serve", \.variant)
    Option("--on", .time, "the time from which all users get it (default: now)", \.beginning)
    Option("--off", .time, "the time from which the flag's rule decides again (default: never)", \.end)
    Option(
      "--ramp", .steps,
      """
      instead of --on: shares in percent with their times, such as
      10:2027-01-15,50:2027-01-16T08:00:00Z
      """, \.ramp)
    Option("--remove", "removes the flag's schedule, instead of --variant; the rule around it stays", \.isRemoval)
    ChangeOptions.options.of(\.change)
  }

  static let summary = """
    Schedules a variant of a flag in a document, in place of the schedule that it has, or removes that, after showing
    the effect on users at each time.
    """
  static let usage = """
    schedule FLAG --variant VARIANT [--on TIME] [option ...]
    schedule FLAG --remove [option ...]
    """
  static let example = "schedule sale --variant on --on 2027-06-01 --off 2027-06-08"
  static let notes = """
    A TIME is as 2027-01-15T08:00:00Z, a day, which begins in UTC, or a number of seconds since 1970. The schedule is an
    ordinary rule on $flagd.timestamp for any evaluator of the format; outside of it, the flag's current rule decides. To
    switch a flag off at a time, schedule its variant that is off.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try take(operands)
    if isRemoval {
      guard variant == nil, schedule.times.isEmpty else {
        throw UsageError("--variant VARIANT with its times or --remove is enough, found both")
      }
      return
    }
    if variant == nil { throw UsageError("--variant VARIANT is missing") }
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
    let old = try change.draft(of: key, on: terminal)
    if isRemoval, old.schedule == nil {
      throw .flag(key, FlagError(.general, "expected a flag with a schedule, found none that this command writes"))
    }
    if !isRemoval, old.isEnabled != true {
      terminal.printError("flagctl: \(key.excerpt): the flag is switched off: until it is on, a schedule does nothing")
    }
    let times = Set(schedule.times + (old.schedule?.times ?? [])).sorted()
    let reason = "schedule of \(key)\(isRemoval ? " removed" : "")"
    return try change.run(reason, of: key, times: times, on: terminal) { draft throws(FlagError) in
      try draft.setSchedule(isRemoval ? nil : schedule)
    }
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

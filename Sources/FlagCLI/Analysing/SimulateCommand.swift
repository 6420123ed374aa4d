import FlagAnalysis
import FlagDefinitions
import FlagDomain
import FlagEvents
import FlagStatistics

/// A command that writes the events of a simulated experiment, and the required sample sizes.
struct SimulateCommand: Command {
  private var source = DocumentSource()
  private var simulation = Simulation()
  private var flag = ""
  private var power = 0.8

  static var options: [Option<Self>] {
    DocumentSource.options.of(\.source)
    Option(
      "--metric",
      .parsed("NAME=SHARE[:VALUE]") { (text) throws(AnalysisError) in try Simulation.Behavior(text) },
      """
      what users do: the share of them who do it once, and the mean of its value, such as
      purchase=10%:25; may be given several times
      """, addingTo: \.simulation.behaviors)
    Option(
      "--effect", .parsed("VARIANT[:NAME]=LIFT") { (text) throws(AnalysisError) in try Simulation.Effect(text) },
      """
      what a variant changes: the share of users, as a part of it, such as green:purchase=+5%;
      of all metrics, where none is named; may be given several times
      """, addingTo: \.simulation.effects)
    Option(
      "--users", .integer(in: 1...1_000_000_000), "how many users there are (1000 unless told otherwise)",
      \.simulation.users)
    Option(
      "--days", .integer(in: 1...10_000), "over how many days they come (14 unless told otherwise)", \.simulation.days)
    Option(
      "--start", .start, "when the first one comes (2026-01-01T00:00:00Z unless told otherwise)", \.simulation.start)
    Option("--seed", .seed, "which random numbers are used (1 unless told otherwise)", \.simulation.seed)
    Option(
      "--power", .number("above 0.05 and under 1") { $0 > 0.05 && $0 < 1 },
      "the chance of finding an effect that the users are counted for (0.8 unless told otherwise)", \.power)
  }

  static let help = """
    Writes the exposures and conversions of users who do not exist, a line of JSON each, for planning and for tests; and
    to standard error, how many users it takes to find the effects.

    usage: flagctl simulate --flags FILE [--flags FILE ...] FLAG --metric METRIC... [--effect EFFECT...] [option ...]

    \(options.help())

    The same words and the same document give the same events. Users are called user-1, user-2 and so on.

    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try source.check()
    flag = try operands.one("FLAG")
    if simulation.behaviors.isEmpty { throw UsageError("--metric NAME=SHARE is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let files = try source.files(on: terminal)
    guard let document = try files.merged() else { return .data }
    let variants = document.listed.first { $0.key == flag }?.variants.map(\.name) ?? []
    for effect in simulation.effects where !variants.contains(effect.variant) {
      throw .data("\(flag.excerpt) has no variant \(effect.variant.quoted)")
    }
    var text = ""
    for number in 0..<simulation.users {
      let exposure = try exposure(of: simulation.unit(number), document, source.seconds(on: terminal))
      do throws(FlagError) {
        for event in simulation.events(ofUser: number, exposure) {
          text += String(decoding: try event.line(), as: UTF8.self) + "\n"
        }
      } catch {
        throw .data("\(error)")
      }
      if text.utf8.count > 1 << 16 {
        try terminal.print(text)
        text = ""
      }
    }
    try terminal.print(text)
    for line in plan(variants: variants.count) { terminal.printError(line) }
    return .success
  }

  private func exposure(
    of unit: String, _ document: FlagDocument, _ seconds: Int64
  ) throws(ToolError) -> TrackedExposure {
    let context = EvaluationContext(user: FlagUser(id: unit))
    let answer: FlagAnswer?
    do { answer = try document.evaluate(flag, in: context, at: seconds) } catch {
      throw .data("\(flag.excerpt), for \(unit): \(error)")
    }
    guard let answer else { throw .data("\(AnalysisError(noSuchFlag: flag, among: document.keys))") }
    guard let variant = answer.variant else {
      throw .data("\(flag.excerpt), for \(unit): expected a variant, found the code's default (\(answer.reason))")
    }
    let version = if case .string(let version)? = answer.metadata["version"] { version } else { String?.none }
    return TrackedExposure(flag: flag, variant: variant, unit: unit, reason: answer.reason, version: version)
  }
}

extension SimulateCommand {
  /// Returns the number of users that it takes to find each effect with equal shares.
  private func plan(variants: Int) -> [String] {
    simulation.behaviors.flatMap { behavior in
      simulation.effects.filter { ($0.name ?? behavior.name) == behavior.name && $0.lift != 0 }.map { effect in
        let difference = simulation.share(of: behavior, in: effect.variant) - behavior.share
        let name = "\(behavior.name.excerpt) of \(effect.variant.excerpt)"
        do throws(StatisticsError) {
          let sample = try RequiredSample(baseline: behavior.share, difference: difference, power: power)
          let usersPerDay = Double(simulation.users) / Double(simulation.days)
          let days = try sample.days(usersPerDay: usersPerDay, share: 1 / Double(max(1, variants)))
          return
            "\(name): \(sample.perGroup) users of each variant, \(days) days as here, find it with a power of \(power)"
        } catch {
          return "\(name): no plan: \(error.subject): \(error.message)"
        }
      }
    }
  }
}

extension OptionValue<EventTime> {
  fileprivate static var start: Self {
    Self("TIME", "is a time such as 2026-01-01T00:00:00Z") { EventTime($0) }
  }
}

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
  private var alpha = 0.05
  private var tuning = 5_000.0
  private var looks = AnalysisSettings.Looks.any
  private var comparisons: Int?

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
      of all metrics, if none is named; may be given several times
      """, addingTo: \.simulation.effects)
    Option(
      "--users", .integer(in: 1...1_000_000_000), "the number of users (default: 1000)",
      \.simulation.users)
    Option(
      "--days", .integer(in: 1...10_000), "the number of days over which they arrive (default: 14)", \.simulation.days)
    Option(
      "--start", .start, "the arrival of the first one (default: 2026-01-01T00:00:00Z)", \.simulation.start)
    Option("--seed", .seed, "the seed of random numbers (default: 1)", \.simulation.seed)
    Option(
      "--power", .number("above 0.05 and under 1") { $0 > 0.05 && $0 < 1 },
      "the power: the chance of finding an effect, for the number of users (default: 0.8)", \.power)
    Option("--one-look", "counts the users for a verdict at one look, not for the sequential one", \.looks, is: .one)
    Option(
      "--alpha", .number("above 0 and under 0.5") { $0 > 0 && $0 < 0.5 },
      "the significance level: the probability of a false finding (default: 0.05)", \.alpha)
    Option(
      "--tuning", .number("above 0") { $0 > 0 }, "the tuning of the sequential test (default: 5000)", \.tuning)
    Option(
      "--comparisons", .integer(in: 1...1_000_000),
      "the number of comparisons to correct for (default: all metrics times all variants but one)", \.comparisons)
  }

  static let summary = """
    Writes the exposures and conversions of users who do not exist, a line of JSON each, for planning and for tests; and
    to standard error, how many users it takes to find the effects.
    """
  static let usage = "simulate FLAG --metric METRIC... [option ...]"
  static let example = "simulate button --metric purchase=10% --effect green=+5%"
  static let notes = """
    The same words and the same document give the same events. Users are called user-1, user-2 and so on. Users are
    counted for the look at which the last of them has come; looks before that find an effect earlier, if at all.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try source.check()
    flag = try operands.one("FLAG")
    if simulation.behaviors.isEmpty { throw UsageError("--metric NAME=SHARE is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let document = try source.definitions(on: terminal).merged()
    let variants = document.listed.first { $0.key == flag }?.variants.map(\.name) ?? []
    for effect in simulation.effects where !variants.contains(effect.variant) {
      throw .data("\(flag.excerpt) has no variant \(effect.variant.quoted)")
    }
    var text = ""
    var users: [String: Int] = [:]
    for number in 0..<simulation.users {
      let exposure = try exposure(of: simulation.unit(number), document, source.seconds(on: terminal))
      users[exposure.label, default: 0] += 1
      do throws(FlagError) {
        for event in simulation.events(ofUser: number, exposure) {
          text += String(decoding: try event.line(), as: UTF8.self) + "\n"
        }
      } catch {
        throw .data("\(error)")
      }
      if text.utf8.count > 1 << 16 {
        try terminal.printContent(text)
        text = ""
      }
    }
    try terminal.printContent(text)
    let smallestShare = Double(users.values.min() ?? 1) / Double(simulation.users)
    for line in plan(variants: variants.count, smallestShare) { terminal.printError(line) }
    return .success
  }

  private func exposure(
    of unit: String, _ document: any DefinitionDocument, _ seconds: Int64
  ) throws(ToolError) -> TrackedExposure {
    let context = EvaluationContext(user: FlagUser(id: unit))
    let answer = try mapError(try document.evaluate(flag, in: context, at: seconds)) { (error: FlagError) in
      ToolError.data("\(flag.excerpt), for \(unit): \(error)")
    }
    guard let answer else { throw .data(AnalysisError(noSuchFlag: flag, among: document.keys)) }
    guard let variant = answer.variant else {
      throw .data("\(flag.excerpt), for \(unit): expected a variant, found the code's default (\(answer.reason))")
    }
    return TrackedExposure(
      flag: flag, variant: variant, unit: unit, reason: answer.reason, version: answer.metadata["version"]?.text)
  }

  /// Returns the number of users that it takes to find each effect with equal shares, by the verdict of an analysis,
  /// and the days until the smallest variant has them.
  private func plan(variants: Int, _ smallestShare: Double) -> [String] {
    simulation.behaviors.flatMap { behavior in
      simulation.effects.filter { ($0.name ?? behavior.name) == behavior.name && $0.lift != 0 }.map { effect in
        let difference = simulation.share(of: behavior, in: effect.variant) - behavior.share
        let name = "\(behavior.name.excerpt) of \(effect.variant.excerpt)"
        do throws(StatisticsError) {
          return "\(name): \(try plan(behavior.share, difference, variants, smallestShare))"
        } catch {
          return "\(name): no plan: \(error.subject): \(error.message)"
        }
      }
    }
  }

  private func plan(
    _ baseline: Double, _ difference: Double, _ variants: Int, _ smallestShare: Double
  ) throws(StatisticsError) -> String {
    let family = comparisons ?? max(1, simulation.behaviors.count * (variants - 1))
    let sample = try RequiredSample(
      baseline: baseline, difference: difference, alpha: alpha, power: power, tuning: looks == .any ? tuning : nil,
      comparisons: family)
    let usersPerDay = Double(simulation.users) / Double(simulation.days)
    let days = try sample.days(usersPerDay: usersPerDay, share: smallestShare)
    let verdict = looks == .any ? "any look" : "one look"
    let correction = family == 1 ? "" : ", \(family) comparisons"
    return "\(sample.perGroup) users of each variant, \(days.counted("day")) as here, find it with a power of "
      + "\(power) (\(verdict)\(correction))"
  }
}

extension OptionValue<EventTime> {
  fileprivate static var start: Self {
    Self("TIME", "is a time such as 2026-01-01T00:00:00Z") { EventTime($0) }
  }
}

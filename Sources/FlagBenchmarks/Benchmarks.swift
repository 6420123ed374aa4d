/// Runs the measures that were asked for, and prints what they took.
struct Benchmarks {
  private let arguments: Arguments
  private let stopwatch = Stopwatch()

  init(_ arguments: Arguments) { self.arguments = arguments }

  func run() throws {
    let measures = Measures.all
    let chosen = measures.filter { $0.name.hasPrefix(arguments.prefix) }
    guard !chosen.isEmpty else { throw UsageError(message: "no measure begins with \(arguments.prefix)") }
    let reference = try workload(named: Measures.baseline, of: measures)
    var report = Report()
    if !arguments.isJSON { print(Report.head) }
    for measure in chosen {
      let rival = try measure.rival.map { try workload(named: $0, of: measures) }
      let reading = stopwatch.measure(try measure.setUp(), next: reference, rival: rival)
      let line = report.add(reading, of: measure)
      if !arguments.isJSON { print(line) }
    }
    if arguments.isJSON { print(try report.json) }
  }

  private func workload(named name: String, of measures: [Measure]) throws -> Workload {
    guard let measure = measures.first(where: { $0.name == name }) else {
      throw UsageError(message: "no measure is called \(name)")
    }
    return try measure.setUp()
  }
}

/// A run of the selected measures, which prints their results.
struct Benchmarks {
  private let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  func run() async throws {
    if let file = arguments.loadedFile {
      let peak = try await PeakMemory(loading: file, as: arguments.loadedKind)
      return print(peak.growth, peak.fileSize, "bytes")
    }
    if let count = arguments.hostileDocuments { return try HostileCheck(seed: arguments.seed).run(count) }
    let measures = Measures.all
    let chosen = measures.filter { $0.name.hasPrefix(arguments.prefix) }
    let destinations = DeliveryRate.destinations.filter { $0.name.hasPrefix(arguments.prefix) }
    let kinds = PeakMemory.Kind.allCases.filter { $0.rawValue.hasPrefix(arguments.prefix) }
    guard !chosen.isEmpty || !destinations.isEmpty || !kinds.isEmpty else {
      throw UsageError(message: "no measure begins with \(arguments.prefix)")
    }
    let reference = try workload(named: Measures.baseline, of: measures)
    var report = Report()
    var (missed, cores): ([Miss], [Double]) = ([], [])
    func read(_ measure: Measure, by stopwatch: Stopwatch = Stopwatch()) throws -> Reading {
      let rival = try measure.rival.map { try workload(named: $0, of: measures) }
      return stopwatch.measure(try measure.setUp(), next: reference, rival: rival)
    }
    if !arguments.isJSON { print(Report.head) }
    for measure in chosen {
      let reading = try read(measure, by: arguments.isCheck ? .brief : Stopwatch())
      let line = report.add(reading, of: measure)
      if !arguments.isJSON { print(line) }
      cores += reading.scaling.map { [$0.cores] } ?? []
      missed += Limit.all.compactMap { Miss(of: $0, by: measure, reading) }
    }
    warn(of: cores)
    var messages = arguments.isCheck ? try messages(of: missed) { try read($0) } : []
    messages += try measureOthers(kinds, destinations, &report)
    if arguments.isJSON { print(try report.json) }
    guard messages.isEmpty else { throw MissedLimits(messages: messages) }
  }

  private func warn(of cores: [Double]) {
    guard arguments.isCheck, let most = cores.max(), most < 1.6 else { return }
    print("Two threads had \(most) times the time of one at most: a lock in a read may have gone unseen.")
  }

  /// Measures what is no time of a call: the memory of a load, and rates of delivery.
  private func measureOthers(
    _ kinds: [PeakMemory.Kind], _ destinations: [DeliveryRate.Destination], _ report: inout Report
  ) throws -> [String] {
    var messages: [String] = []
    for kind in kinds { messages += try measurePeak(of: kind, &report) }
    for destination in destinations { messages += try measureDelivery(to: destination, &report) }
    return messages
  }

  /// Measures the memory that a large file takes, and returns a message if it exceeds its limit.
  private func measurePeak(of kind: PeakMemory.Kind, _ report: inout Report) throws -> [String] {
    let peak = try PeakMemory(loadingElsewhere: kind)
    if !arguments.isJSON { print("\(kind.rawValue) takes \(peak.growth) bytes at its peak, \(peak.ratio) a byte") }
    report.peakMemoryRatios[kind.rawValue] = peak.ratio
    return arguments.isCheck ? [peak.miss].compactMap { $0 } : []
  }

  /// Measures the rate of delivery, and returns a message if it misses its limit each time.
  private func measureDelivery(to destination: DeliveryRate.Destination, _ report: inout Report) throws -> [String] {
    var rate = try DeliveryRate(to: destination)
    for _ in 0..<5 where arguments.isCheck && rate.miss != nil { rate = try DeliveryRate(to: destination) }
    if !arguments.isJSON { print(rate.line) }
    report.eventsPerSecond[rate.name] = rate.perSecond
    return arguments.isCheck ? [rate.miss].compactMap { $0 } : []
  }

  /// Repeats the measures that missed their limits, after all others, and returns messages for those that miss them
  /// each time.
  ///
  /// Other load on the machine makes a measure worse, and never better: one reading within a limit is enough.
  private func messages(of missed: [Miss], again read: (Measure) throws -> Reading) throws -> [String] {
    var missed = missed
    for _ in 0..<5 where !missed.isEmpty {
      missed = try Dictionary(grouping: missed, by: \.measure.name).values.flatMap { misses in
        let reading = try read(misses[0].measure)
        return misses.compactMap { Miss(of: $0.limit, by: $0.measure, reading) }
      }
    }
    return missed.map(\.message).sorted()
  }

  private func workload(named name: String, of measures: [Measure]) throws -> Workload {
    guard let measure = measures.first(where: { $0.name == name }) else {
      throw UsageError(message: "no measure is called \(name)")
    }
    return try measure.setUp()
  }
}

/// The namespace of all measures, with one file per topic.
enum Measures {
  /// All measures, in the order in which they run and print.
  static var all: [Measure] {
    reference + read + write + experiments + threads + sharing + sets + evaluate + growthBook + launchDarkly + growth
  }

  /// The name of the measure that ratios are relative to.
  static let baseline = "reference.dictionary"
}

import FlagCounters

/// A stopwatch that times workloads next to the reference, in turns, so that both run under the same load.
struct Stopwatch {
  /// The target duration of one batch.
  var batch = Duration.milliseconds(3)
  /// The time for which threads run at once: many times the scheduler's time slice.
  var period = Duration.milliseconds(100)
  /// The time limit of one measure.
  var budget = Duration.seconds(1)
  /// The minimum number of batches, whatever their duration, and the maximum.
  var batches = 5...41

  /// A stopwatch for checking limits: they are usually kept by far, and what misses one is measured again for longer.
  static let brief = Stopwatch(budget: .milliseconds(300), batches: 3...41)

  /// Measures a workload, in relation to a reference and optionally to a rival.
  ///
  /// A batch of the reference runs before and after each batch of the workload. Next to workloads for throughput, as
  /// many threads do arithmetic, which shows how many cores they have.
  func measure(_ workload: Workload, next reference: Workload, rival: Workload? = nil) -> Reading {
    let yardsticks = rival.map { [workload, $0].compactMap(\.yardstick) } ?? []
    let lanes = [reference, workload, rival].compactMap { $0 } + yardsticks
    let operations = lanes.map(operations)
    var rounds: [[Sample]] = []
    let start = ContinuousClock.now
    while rounds.count <= batches.upperBound {
      rounds.append(zip(lanes, operations).map { lane, count in sample(lane, operations: count) })
      if rounds.count > batches.lowerBound, ContinuousClock.now - start > budget { break }
    }
    var reading = Reading(rounds: rounds, kind: workload.kind)
    if case .throughput(threads: 2) = workload.kind { reading.sharedReferences = Sharing.references(workload.run) }
    return reading
  }

  private func sample(_ workload: Workload, operations: Int) -> Sample {
    switch workload.kind {
    case .time:
      Threads.repeating(workload.meanwhile) { Sample(timing: workload, operations: operations) }
    case .throughput(let threads):
      // A hundredth of a batch: short compared with the period, long compared with the check whether it is over.
      Sample(running: workload, on: threads, for: period, chunk: max(1, operations / 100))
    case .tail(let threads):
      Sample(timingEach: workload, on: threads, for: period)
    }
  }

  /// Returns the number of operations that fill a batch; finding it also warms up the workload.
  private func operations(of workload: Workload) -> Int {
    let target = batch.nanoseconds
    var operations = 1
    while true {
      let sample = Threads.repeating(workload.meanwhile) { Sample(timing: workload, operations: operations) }
      let took = sample.nanoseconds * Double(sample.operations)
      if took >= target { return operations }
      operations = took * 10 < target ? operations * 8 : max(operations + 1, Int(Double(operations) * target / took))
    }
  }
}

/// The measurements of one workload.
struct Reading: Sendable {
  /// The measured quantity.
  let kind: Workload.Kind
  /// The nanoseconds of one operation on its thread: the median batch.
  let nanoseconds: Double
  /// The heap allocations of one operation, over all batches; nil if the platform does not count them.
  let allocations: Double?
  /// The time relative to the reference: the median pair of neighboring batches.
  let ratio: Double
  /// The operations per second over all threads: the median batch.
  let throughput: Double
  /// The 99.99th percentile of an operation's nanoseconds, the median batch's, or nil.
  let tail: Double?
  /// The number of times that one operation counts a reference of an object that another thread counts, too; nil if it
  /// is unknown.
  var sharedReferences: Double?
  /// The measured quantity relative to the rival's, or nil.
  let ratioToRival: Double?
  /// The scaling from fewer threads to more, or nil.
  let scaling: Scaling?
}

/// The scaling from fewer threads to more.
struct Scaling: Sendable {
  /// The factor of arithmetic: the cores of the threads, relative to those of the fewer threads.
  let cores: Double
  /// The factor of a workload's throughput relative to that of arithmetic: 1 if no thread waits for another.
  let efficiency: Double
}

extension Reading {
  /// Summarizes rounds, each of which has a batch of the reference, of the workload and, optionally, of the rival.
  fileprivate init(rounds: [[Sample]], kind: Workload.Kind) {
    self.kind = kind
    let own = rounds.map { $0[1] }
    let count = own.map { Double($0.operations) }.reduce(0, +)
    nanoseconds = own.map(\.nanoseconds).median
    throughput = own.map(\.throughput).median
    let tails = own.compactMap(\.tail)
    tail = tails.isEmpty ? nil : tails.median
    allocations =
      allocation_counter_is_available() && tail == nil
      ? Double(own.map(\.allocations).reduce(0, +)) / max(count, 1) : nil
    ratio =
      zip(rounds, rounds.dropFirst()).map { this, next in
        this[1].nanoseconds * 2 / (this[0].nanoseconds + next[0].nanoseconds)
      }.median
    ratioToRival = rounds[0].count < 3 ? nil : rounds.map { $0[1].quantity(kind) / $0[2].quantity(kind) }.median
    scaling =
      rounds[0].count < 5
      ? nil
      : Scaling(
        cores: rounds.map { $0[3].throughput / $0[4].throughput }.median,
        efficiency: rounds.map { $0[1].throughput / $0[2].throughput * $0[4].throughput / $0[3].throughput }.median)
  }
}

extension Sample {
  /// Returns the quantity that a kind of workload measures.
  fileprivate func quantity(_ kind: Workload.Kind) -> Double {
    switch kind {
    case .time: nanoseconds
    case .throughput: throughput
    case .tail: tail ?? .nan
    }
  }
}

extension [Double] {
  /// The median; 0 if the array is empty.
  fileprivate var median: Double {
    guard !isEmpty else { return 0 }
    let ordered = sorted()
    return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
  }
}

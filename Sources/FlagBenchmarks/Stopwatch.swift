import AllocationCounter

/// Times workloads next to the reference, in turns, so that both meet the same load of the machine.
struct Stopwatch {
  /// How long one batch should take.
  var batch = Duration.milliseconds(3)
  /// How long threads run at once: many times what the scheduler gives one of them in a row.
  var period = Duration.milliseconds(100)
  /// How long one measure may take.
  var budget = Duration.seconds(1)
  /// How many batches a measure has at most, and at least however long they take.
  var batches = 5...41
}

extension Stopwatch {
  /// Returns what a workload takes, and what it takes next to a reference and, maybe, a rival.
  ///
  /// A batch of the reference runs before and after each batch of the workload. Beside threads that do something, as
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
      // A hundredth of a batch: short beside the period, long beside the look at whether it is over.
      Sample(running: workload, on: threads, for: period, chunk: max(1, operations / 100))
    case .tail(let threads):
      Sample(timingEach: workload, on: threads, for: period)
    }
  }

  /// Returns how many operations fill a batch, and warms the workload up by finding out.
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

/// What was found out about one workload.
struct Reading: Sendable {
  /// What was wanted of it.
  let kind: Workload.Kind
  /// Nanoseconds of one operation as its thread sees it: the median batch.
  let nanoseconds: Double
  /// Heap allocations of one operation, over all batches; nil where the platform's are not counted.
  let allocations: Double?
  /// How many times as long as the reference it takes: the median pair of neighbouring batches.
  let ratio: Double
  /// Operations a second over all threads: the median batch.
  let throughput: Double
  /// The 99.99th percentile of an operation's nanoseconds, the median batch's, or nil.
  let tail: Double?
  /// How often one operation counts a reference of an object that another thread counts, too; nil where it is not
  /// known.
  var sharedReferences: Double?
  /// How many times as much as its rival's that is which the workload's kind asks for, or nil.
  let ratioToRival: Double?
  /// How more threads do, next to fewer, or nil.
  let scaling: Scaling?
}

/// What more threads do, next to fewer.
struct Scaling: Sendable {
  /// How many times as much arithmetic they do: the cores that they have, next to those that the fewer have.
  let cores: Double
  /// How many times as much of a workload they do, for each of these cores: 1 where no thread waits for another.
  let efficiency: Double
}

extension Reading {
  /// Sums rounds up, each of which has a batch of the reference, of the workload and, maybe, of the rival.
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
  /// What a kind of workload asks for.
  fileprivate func quantity(_ kind: Workload.Kind) -> Double {
    switch kind {
    case .time: nanoseconds
    case .throughput: throughput
    case .tail: tail ?? .nan
    }
  }
}

extension [Double] {
  /// The middle value; 0 of none.
  fileprivate var median: Double {
    guard !isEmpty else { return 0 }
    let ordered = sorted()
    return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
  }
}

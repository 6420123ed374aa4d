import AllocationCounter

/// Times workloads next to the reference, in turns, so that both meet the same weather.
struct Stopwatch {
  /// How long one batch should take.
  var batch = Duration.milliseconds(3)
  /// How long one measure may take.
  var budget = Duration.seconds(1)
  /// How many batches a measure has at most, and at least however long they take.
  var batches = 5...41
}

extension Stopwatch {
  /// Returns what a workload takes, and what it takes next to a reference and, maybe, a rival.
  ///
  /// A batch of the reference runs before and after each batch of the workload.
  func measure(_ workload: Workload, next reference: Workload, rival: Workload? = nil) -> Reading {
    let lanes = [reference, workload, rival].compactMap { $0 }
    let operations = lanes.map(operations)
    var rounds: [[Sample]] = []
    let start = ContinuousClock.now
    while rounds.count <= batches.upperBound {
      rounds.append(zip(lanes, operations).map { lane, count in sample(lane, operations: count) })
      if rounds.count > batches.lowerBound, ContinuousClock.now - start > budget { break }
    }
    return Reading(rounds: rounds)
  }

  private func sample(_ workload: Workload, operations: Int) -> Sample {
    Threads.repeating(workload.meanwhile) { Sample(of: workload, operations: operations) }
  }

  /// Returns how many operations fill a batch, and warms the workload up by finding out.
  private func operations(of workload: Workload) -> Int {
    let target = batch / .nanoseconds(1)
    var operations = 1
    while true {
      let took = sample(workload, operations: operations).nanoseconds * Double(operations)
      if took >= target { return operations }
      operations = took * 10 < target ? operations * 8 : max(operations + 1, Int(Double(operations) * target / took))
    }
  }
}

/// What was found out about one workload.
struct Reading: Sendable {
  /// Nanoseconds of one operation: the median batch.
  let nanoseconds: Double
  /// Heap allocations of one operation, over all batches; nil where the platform's are not counted.
  let allocations: Double?
  /// How many times as long as the reference it takes: the median pair of neighbouring batches.
  let ratio: Double
  /// How many times as long as its rival it takes, or nil.
  let ratioToRival: Double?
}

extension Reading {
  /// Sums rounds up, each of which has a batch of the reference, of the workload and, maybe, of the rival.
  fileprivate init(rounds: [[Sample]]) {
    let own = rounds.map { $0[1] }
    let count = own.map { Double($0.operations) }.reduce(0, +)
    nanoseconds = own.map(\.nanoseconds).median
    allocations =
      allocation_counter_is_available() ? Double(own.map(\.allocations).reduce(0, +)) / max(count, 1) : nil
    ratio =
      zip(rounds, rounds.dropFirst()).map { this, next in
        this[1].nanoseconds * 2 / (this[0].nanoseconds + next[0].nanoseconds)
      }.median
    ratioToRival = rounds[0].count < 3 ? nil : rounds.map { $0[1].nanoseconds / $0[2].nanoseconds }.median
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

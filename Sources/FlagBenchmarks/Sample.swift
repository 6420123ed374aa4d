import AllocationCounter

/// What one batch of operations took.
struct Sample: Sendable {
  /// How many operations each thread ran.
  var operations: Int
  /// Nanoseconds of one operation, the mean over the batch.
  var nanoseconds: Double
  /// How often the batch's threads asked the heap for memory.
  var allocations: UInt64
}

extension Sample {
  /// Runs a batch of a workload on its threads.
  init(of workload: Workload, operations: Int) {
    let samples = Threads.run(workload.threads) {
      workload.before.map { Self(of: workload, operations: operations, before: $0) }
        ?? Self(timing: workload, operations: operations)
    }
    self.operations = operations
    nanoseconds = samples.map(\.nanoseconds).reduce(0, +) / Double(samples.count)
    allocations = samples.map(\.allocations).reduce(0, +)
  }

  private init(timing workload: Workload, operations: Int) {
    let allocated = allocation_counter_current_thread()
    let start = ContinuousClock.now
    workload.run(operations)
    let end = ContinuousClock.now
    allocations = allocation_counter_current_thread() - allocated
    nanoseconds = (end - start).nanoseconds / Double(operations)
    self.operations = operations
  }

  /// Times each operation by itself, and takes off what an empty one takes to time.
  private init(of workload: Workload, operations: Int, before: () -> Void) {
    let empty = Workload { _ in }
    var nanoseconds = 0.0
    var allocations: UInt64 = 0
    for _ in 0..<operations {
      before()
      let sample = Self(timing: workload, operations: 1)
      nanoseconds += max(0, sample.nanoseconds - Self(timing: empty, operations: 1).nanoseconds)
      allocations += sample.allocations
    }
    self.operations = operations
    self.nanoseconds = nanoseconds / Double(operations)
    self.allocations = allocations
  }
}

extension Duration {
  fileprivate var nanoseconds: Double { self / .nanoseconds(1) }
}

import FlagCounters
import Foundation

/// The results of one batch of operations.
struct Sample: Sendable {
  /// The number of operations, of all threads together.
  var operations: Int
  /// The nanoseconds of one operation on its thread, the mean over the batch.
  var nanoseconds: Double
  /// The number of heap allocations on the batch's threads.
  var allocations: UInt64
  /// The operations per second, over all threads.
  var throughput: Double
  /// The 99.99th percentile of an operation's nanoseconds, or nil if operations were not timed one by one.
  var tail: Double?
}

extension Sample {
  /// Times a number of operations, one after the other, on the calling thread.
  ///
  /// The thread's processor time counts, which does not include other load on the machine; if another thread works
  /// meanwhile, the time of waiting for it counts, too.
  init(timing workload: Workload, operations: Int) {
    if let before = workload.before {
      self.init(timing: workload, operations: operations, before: before)
      return
    }
    let allocated = allocation_counter_current_thread()
    let clock = workload.meanwhile == nil ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC
    let start = Self.time(of: clock)
    workload.run(operations)
    let end = Self.time(of: clock)
    self.init(
      operations: operations, nanoseconds: (end - start).nanoseconds,
      allocations: allocation_counter_current_thread() - allocated)
  }

  /// Times each operation separately, and subtracts the time of an empty one.
  private init(timing workload: Workload, operations: Int, before: () -> Void) {
    let (operation, empty) = (Workload(run: workload.run), Workload { _ in })
    var nanoseconds = 0.0
    var allocations: UInt64 = 0
    for _ in 0..<operations {
      before()
      let sample = Self(timing: operation, operations: 1)
      nanoseconds += max(0, sample.nanoseconds - Self(timing: empty, operations: 1).nanoseconds)
      allocations += sample.allocations
    }
    self.init(operations: operations * workload.parts, nanoseconds: nanoseconds, allocations: allocations)
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private init(operations: Int, nanoseconds: Double, allocations: UInt64) {
    self.init(
      operations: operations, nanoseconds: nanoseconds / Double(operations), allocations: allocations,
      throughput: Double(operations) * 1e9 / nanoseconds)
  }

  /// Runs a workload on a number of threads for some time.
  ///
  /// After each chunk of operations a thread checks whether the time is over.
  init(running workload: Workload, on threads: Int, for duration: Duration, chunk: Int) {
    let (counts, elapsed) = Threads.run(threads, for: duration) { isOver in
      let allocated = allocation_counter_current_thread()
      var operations = 0
      while !isOver() {
        workload.run(chunk)
        operations += chunk
      }
      return (operations: operations, allocations: allocation_counter_current_thread() - allocated)
    }
    operations = counts.map(\.operations).reduce(0, +)
    allocations = counts.map(\.allocations).reduce(0, +)
    throughput = Double(operations) * 1e9 / elapsed.nanoseconds
    nanoseconds = Double(threads) * 1e9 / throughput
  }

  /// Times each operation of a workload on a number of threads for some time.
  init(timingEach workload: Workload, on threads: Int, for duration: Duration) {
    let (counts, elapsed) = Threads.run(threads, for: duration) { isOver in
      var counts = Durations()
      while !isOver() {
        for _ in 0..<100 {
          let start = ContinuousClock.now
          workload.run(1)
          counts.add((ContinuousClock.now - start).nanoseconds)
        }
      }
      return counts
    }
    let all = counts.reduce(into: Durations()) { $0.add($1) }
    operations = all.count
    allocations = 0
    throughput = Double(operations) * 1e9 / elapsed.nanoseconds
    nanoseconds = Double(threads) * 1e9 / throughput
    tail = all.percentile(0.9999)
  }
}

/// A histogram of durations, in steps of a nanosecond up to 65 µs, and of 4 µs up to 268 ms.
private struct Durations: Sendable {
  private var fine = [Int](repeating: 0, count: 1 << 16)
  private var coarse = [Int](repeating: 0, count: 1 << 16)
  private(set) var count = 0
  private static let step = 4096.0

  mutating func add(_ nanoseconds: Double) {
    count += 1
    if nanoseconds < Double(fine.count) {
      fine[Int(nanoseconds)] += 1
    } else {
      coarse[min(coarse.count - 1, Int(nanoseconds / Self.step))] += 1
    }
  }

  mutating func add(_ other: Durations) {
    count += other.count
    for index in fine.indices { fine[index] += other.fine[index] }
    for index in coarse.indices { coarse[index] += other.coarse[index] }
  }

  /// Returns the duration that a share of all durations does not exceed.
  func percentile(_ share: Double) -> Double {
    var left = Int(Double(count) * share)
    for (index, count) in fine.enumerated() {
      left -= count
      if left < 0 { return Double(index) }
    }
    for (index, count) in coarse.enumerated() {
      left -= count
      if left < 0 { return Double(index) * Self.step }
    }
    return Double(coarse.count) * Self.step
  }
}

extension Duration {
  var nanoseconds: Double { self / .nanoseconds(1) }
}

import FlagDomain
import Foundation
import Synchronization

/// A namespace for running the same work on several threads at once.
enum Threads {
  /// Runs a closure on each of a number of threads for some time, and returns their results.
  ///
  /// All threads exist before the time begins. They wait asleep, so as not to take processor time from one another.
  ///
  /// - Parameters:
  ///   - count: The number of threads.
  ///   - duration: The time for which they run.
  ///   - body: The work of a thread: repeats until its argument returns true, when the time is over.
  /// - Returns: The results in the order in which the threads ended, and the actual running time.
  static func run<Outcome: Sendable>(
    _ count: Int, for duration: Duration, _ body: @escaping @Sendable (() -> Bool) -> Outcome
  ) -> (outcomes: [Outcome], elapsed: Duration) {
    let outcomes = Outcomes<Outcome>()
    let isOver = Signal()
    let (ready, start, finished) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    for _ in 0..<count {
      Thread.detachNewThread {
        ready.signal()
        start.wait()
        let outcome = body { isOver.raised.load(ordering: .relaxed) }
        outcomes.all.withLock { $0.append(outcome) }
        finished.signal()
      }
    }
    for _ in 0..<count { ready.wait() }
    let began = ContinuousClock.now
    for _ in 0..<count { start.signal() }
    Thread.sleep(forTimeInterval: duration / .seconds(1))
    isOver.raised.store(true, ordering: .relaxed)
    let elapsed = ContinuousClock.now - began
    for _ in 0..<count { finished.wait() }
    return (outcomes.all.withLock { $0 }, elapsed)
  }

  /// Runs a closure repeatedly on a thread of its own while a body runs.
  static func repeating<Outcome>(_ work: (@Sendable () -> Void)?, while body: () -> Outcome) -> Outcome {
    guard let work else { return body() }
    let isOver = Signal()
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.raised.load(ordering: .relaxed) { work() }
      finished.signal()
    }
    defer {
      isOver.raised.store(true, ordering: .relaxed)
      finished.wait()
    }
    return body()
  }
}

/// The results of threads, in the order in which they ended.
final class Outcomes<Outcome: Sendable>: Sendable {
  let all = Locked<[Outcome]>([])
}

private final class Signal: Sendable {
  let raised = Atomic(false)
}

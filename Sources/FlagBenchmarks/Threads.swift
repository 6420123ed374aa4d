import FlagDomain
import Foundation
import Synchronization

/// Runs the same work on several threads at once.
enum Threads {
  /// Runs a closure on each of a number of threads until some time is over, and returns what each gave.
  ///
  /// The threads are all there before the time begins. They wait asleep, so as not to take it from one another.
  ///
  /// - Parameters:
  ///   - count: How many threads there are.
  ///   - duration: How long they run.
  ///   - body: What a thread does: over and over, until what it is given says that the time is over.
  /// - Returns: What the threads returned, in the order in which they ended, and how long they really ran.
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

  /// Runs a closure over and over on a thread of its own while a body runs.
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

/// What threads returned, in the order in which they ended.
final class Outcomes<Outcome: Sendable>: Sendable {
  let all = Locked<[Outcome]>([])
}

private final class Signal: Sendable {
  let raised = Atomic(false)
}

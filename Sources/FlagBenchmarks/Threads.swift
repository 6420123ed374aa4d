import Foundation
import Synchronization

/// Runs the same work on several threads at once.
enum Threads {
  /// Runs a closure on each of a number of threads, which start together, and returns what each gave.
  ///
  /// A single one is the calling thread.
  static func run<Outcome: Sendable>(_ count: Int, _ body: @escaping @Sendable () -> Outcome) -> [Outcome] {
    guard count > 1 else { return [body()] }
    let start = StartingLine(count: count)
    let outcomes = Outcomes<Outcome>()
    let finished = DispatchSemaphore(value: 0)
    for _ in 0..<count {
      Thread.detachNewThread {
        start.wait()
        let outcome = body()
        outcomes.list.withLock { $0.append(outcome) }
        finished.signal()
      }
    }
    for _ in 0..<count { finished.wait() }
    return outcomes.list.withLock { $0 }
  }

  /// Runs a closure over and over on a thread of its own while a body runs.
  static func repeating<Outcome>(_ work: (@Sendable () -> Void)?, while body: () -> Outcome) -> Outcome {
    guard let work else { return body() }
    let isOver = Flag()
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

/// Holds threads until all of them have come.
private final class StartingLine: Sendable {
  private let count: Int
  private let waiting = Atomic(0)

  init(count: Int) { self.count = count }

  func wait() {
    waiting.add(1, ordering: .relaxed)
    while waiting.load(ordering: .relaxed) < count {}
  }
}

private final class Outcomes<Outcome: Sendable>: Sendable {
  let list = Mutex<[Outcome]>([])
}

private final class Flag: Sendable {
  let raised = Atomic(false)
}

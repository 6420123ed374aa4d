import Synchronization

/// A clock that stands still until a test moves it, so that a test of waiting does not wait.
///
/// ```swift
/// let refreshing = Task { try await provider.refresh() }
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(10))
/// ```
public final class ManualClock: Clock, Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>
  private typealias Condition = @Sendable ([Instant]) -> Bool

  private struct Sleeper {
    var deadline: Instant
    var wake: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(sinceStart: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
    var waiters: [(condition: Condition, resume: Waiter)] = []

    /// Takes out those whose condition the sleepers meet.
    mutating func satisfiedWaiters() -> [Waiter] {
      let deadlines = sleepers.values.map(\.deadline)
      let split = waiters.partition { $0.condition(deadlines) }
      defer { waiters.removeSubrange(split...) }
      return waiters[split...].map(\.resume)
    }
  }

  private let state = Mutex(State())

  /// Creates a clock that shows zero.
  public init() {}
}

extension ManualClock {
  /// The time that the clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// The least time that makes a difference.
  public var minimumResolution: Duration { .zero }

  /// Moves time on, and wakes all whose time has come, the earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.wake.resume() }
  }

  /// Waits until at least so many tasks sleep by this clock.
  public func sleepers(_ count: Int) async { await sleepers { $0.count >= count } }

  /// Waits until a task sleeps by this clock that is to wake after a duration, counted from now.
  public func sleeper(for duration: Duration) async {
    let deadline = now.advanced(by: duration)
    await sleepers { $0.contains(deadline) }
  }

  private func sleepers(_ condition: @escaping Condition) async {
    await withCheckedContinuation { waiter in
      resume { $0.waiters.append((condition, waiter)) }
    }
  }

  /// How many tasks sleep by this clock.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock is moved to a deadline, or throws when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add(Sleeper(deadline: deadline, wake: $0), id: id) }
    } onCancel: {
      cancel(id)
    }
  }

  private func add(_ sleeper: Sleeper, id: Int) {
    enum Outcome { case sleeps, isDue, isCancelled }
    var outcome = Outcome.sleeps
    resume { state in
      if state.cancelled.remove(id) != nil {
        outcome = .isCancelled
      } else if sleeper.deadline <= state.now {
        outcome = .isDue
      } else {
        state.sleepers[id] = sleeper
      }
    }
    switch outcome {
    case .sleeps: break
    case .isDue: sleeper.wake.resume()
    case .isCancelled: sleeper.wake.resume(throwing: CancellationError())
    }
  }

  /// Wakes a sleeper whose task was cancelled, whether it has gone to sleep yet or not.
  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: id)
      if sleeper == nil { state.cancelled.insert(id) }
      return sleeper
    }
    sleeper?.wake.resume(throwing: CancellationError())
  }

  private func resume(after change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      return state.satisfiedWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }
}

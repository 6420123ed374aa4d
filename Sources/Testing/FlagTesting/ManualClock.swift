import FlagDomain

/// A clock whose time changes only when a test advances it, so that tests of delays do not wait.
///
/// ```swift
/// let refreshing = Task { try await provider.refresh() }
/// await clock.waitForSleepers(1)
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
    var waiters: [(id: Int, condition: Condition, resume: Waiter)] = []

    /// Removes and returns the waiters whose condition is met, or whose task was cancelled.
    mutating func satisfiedWaiters() -> [Waiter] {
      let deadlines = sleepers.values.map(\.deadline)
      let split = waiters.partition { [cancelled] in cancelled.contains($0.id) || $0.condition(deadlines) }
      defer { waiters.removeSubrange(split...) }
      return waiters[split...].map(\.resume)
    }
  }

  private let state = Locked(State())

  /// Creates a clock at zero.
  public init() {}

  /// The current time of the clock.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest duration that the clock distinguishes.
  public var minimumResolution: Duration { .zero }

  /// Advances the time, and wakes the tasks whose deadline has passed, the earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.wake.resume() }
  }

  /// Waits until at least a number of tasks sleep on this clock, or its own task is cancelled, as by a time limit.
  public func waitForSleepers(_ count: Int) async { await waitForSleepers { $0.count >= count } }

  /// Waits until a task sleeps on this clock whose deadline is a duration from now, or as many as `count`, or its own
  /// task is cancelled.
  public func waitForSleeper(for duration: Duration, count: Int = 1) async {
    let deadline = now.advanced(by: duration)
    await waitForSleepers { $0.count { $0 == deadline } >= count }
  }

  private func waitForSleepers(_ condition: @escaping Condition) async {
    let id = nextID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        resume { $0.waiters.append((id, condition, waiter)) }
      }
    } onCancel: {
      resume { $0.cancelled.insert(id) }
    }
  }

  private func nextID() -> Int {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }

  /// The number of tasks that sleep on this clock.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock is advanced to a deadline, or throws when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = nextID()
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

  /// Wakes a sleeper whose task was cancelled, whether it is already asleep or not.
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

  /// A point in a manual clock's time.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock was created.
    public let sinceStart: Duration

    /// Returns the instant that is a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
    /// Returns the duration until another instant.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    /// Returns whether the first instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
  }
}

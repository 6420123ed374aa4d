import Dispatch
import FlagDomain

/// A time during which the system does not suspend the app, until it is ended or the system ends it.
///
/// iOS ends an app that is suspended while it holds a file lock in a shared container (exception code 0xdead10cc). So a
/// lock is held within an activity, and released when the activity expires.
package final class ExpiringActivity: Sendable {
  /// A function that requests an activity, as `ProcessInfo.performExpiringActivity(withReason:using:)` does.
  ///
  /// The system calls the block with false, on a thread that the block blocks until the activity ends, and with true,
  /// on another thread, when the time is over; only with true if there is no time at all.
  package typealias System = @Sendable (_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) -> Void

  private enum State: Sendable {
    /// The system has not decided; the closure receives the activity, or nil if the system grants none.
    case asked(@Sendable (ExpiringActivity?) -> Void)
    case running
    case over(hasExpired: Bool)
  }

  private let state: Locked<State>
  private let ending = DispatchSemaphore(value: 0)
  private let onExpiry: @Sendable () -> Void

  private init(_ onExpiry: @escaping @Sendable () -> Void, answer: @escaping @Sendable (ExpiringActivity?) -> Void) {
    self.onExpiry = onExpiry
    state = Locked(.asked(answer))
  }

  /// Begins an activity, and waits on this thread until the system has decided.
  ///
  /// - Parameters:
  ///   - reason: The purpose, for the system's logs.
  ///   - system: The function that requests an activity; nil if the system suspends no programs.
  ///   - onExpiry: Releases everything that must not be held any more, on any thread; not called once the activity has
  ///     ended.
  /// - Returns: The activity; nil if the system grants none.
  package static func begin(
    _ reason: String, by system: System?, onExpiry: @escaping @Sendable () -> Void = {}
  ) -> ExpiringActivity? {
    let activity = Locked<ExpiringActivity?>(nil)
    let isDecided = DispatchSemaphore(value: 0)
    let answer: @Sendable (ExpiringActivity?) -> Void = { answer in
      activity.withLock { $0 = answer }
      isDecided.signal()
    }
    ExpiringActivity(onExpiry, answer: answer).ask(system, reason)
    isDecided.wait()
    return activity.withLock { $0 }
  }

  /// Begins an activity as the method above does, without blocking a thread.
  package static func begin(
    _ reason: String, by system: System?, onExpiry: @escaping @Sendable () -> Void = {}
  ) async -> ExpiringActivity? {
    await withCheckedContinuation { continuation in
      ExpiringActivity(onExpiry) { continuation.resume(returning: $0) }.ask(system, reason)
    }
  }

  /// Whether the system has ended the activity.
  package var hasExpired: Bool { state.withLock { if case .over(hasExpired: true) = $0 { true } else { false } } }

  /// Ends the activity, unless it has ended already.
  package func end() { if finish(hasExpired: false) { ending.signal() } }

  private func ask(_ system: System?, _ reason: String) {
    guard let system else {
      decide(self)
      return
    }
    system(reason) { [self] isExpired in
      // The system's thread is blocked until the activity ends.
      if isExpired { expire() } else if decide(self) { ending.wait() }
    }
  }

  /// Answers the request, unless it was answered before, and returns whether it did.
  @discardableResult
  private func decide(_ activity: ExpiringActivity?) -> Bool {
    let answer = state.withLock { state -> (@Sendable (ExpiringActivity?) -> Void)? in
      guard case .asked(let answer) = state else { return nil }
      state = activity == nil ? .over(hasExpired: false) : .running
      return answer
    }
    answer?(activity)
    return answer != nil
  }

  private func expire() {
    if decide(nil) { return }
    guard finish(hasExpired: true) else { return }
    onExpiry()
    ending.signal()
  }

  /// Records the end of a running activity, and returns whether it was running.
  private func finish(hasExpired: Bool) -> Bool {
    state.withLock { state in
      guard case .running = state else { return false }
      state = .over(hasExpired: hasExpired)
      return true
    }
  }
}

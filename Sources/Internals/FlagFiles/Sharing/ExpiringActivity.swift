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

  private struct State: Sendable {
    /// Receives the activity, or nil if the system grants none; reset to nil after that.
    var answer: (@Sendable (ExpiringActivity?) -> Void)?
    var isOver = false
    var hasExpired = false
  }

  private let state: Locked<State>
  private let ending = DispatchSemaphore(value: 0)
  private let onExpiry: @Sendable () -> Void

  private init(_ onExpiry: @escaping @Sendable () -> Void, answer: @escaping @Sendable (ExpiringActivity?) -> Void) {
    self.onExpiry = onExpiry
    state = Locked(State(answer: answer))
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
    let answer = Answer()
    ExpiringActivity(onExpiry) { answer.give($0) }.ask(system, reason)
    return answer.wait()
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
  package var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Ends the activity, unless it has ended already.
  package func end() {
    state.withLock { $0.isOver = true }
    ending.signal()
  }

  private func ask(_ system: System?, _ reason: String) {
    guard let system else {
      takeAnswer()?(self)
      return
    }
    system(reason) { [self] isExpired in if isExpired { expire() } else { hold() } }
  }

  /// Blocks the system's thread until the activity ends.
  private func hold() {
    guard let answer = takeAnswer() else { return }
    answer(self)
    ending.wait()
  }

  private func expire() {
    if let answer = takeAnswer() { return answer(nil) }
    let isFirst = state.withLock { state in
      defer { (state.isOver, state.hasExpired) = (true, state.hasExpired || !state.isOver) }
      return !state.isOver
    }
    guard isFirst else { return }
    onExpiry()
    ending.signal()
  }

  private func takeAnswer() -> (@Sendable (ExpiringActivity?) -> Void)? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  /// A result that a thread waits for.
  private final class Answer: Sendable {
    private let activity = Locked<ExpiringActivity?>(nil)
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ answer: ExpiringActivity?) {
      activity.withLock { $0 = answer }
      isGiven.signal()
    }

    func wait() -> ExpiringActivity? {
      isGiven.wait()
      return activity.withLock { $0 }
    }
  }
}

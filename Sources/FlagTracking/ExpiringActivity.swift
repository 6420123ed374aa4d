import FlagDomain
import Foundation

/// A time during which the system does not suspend the app, until it is ended, or the system ends it.
///
/// An app that is suspended while it holds the lock of a file is killed: so what it holds is released when the time is
/// over.
package final class ExpiringActivity: Sendable {
  /// Calls a block with false, on a thread that the block keeps until the activity ends; and with true, on another
  /// thread, when the time is over: at once, and only so, if there is no time at all.
  package typealias System = @Sendable (_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) -> Void

  private struct State: Sendable {
    /// Receives whether the system gives the time; nil once that is known.
    var answer: CheckedContinuation<Bool, Never>?
    var isOver = false
  }

  private let state = Locked(State())
  private let ending = DispatchSemaphore(value: 0)
  private let onExpire: @Sendable () -> Void

  private init(_ onExpire: @escaping @Sendable () -> Void) { self.onExpire = onExpire }
}

extension ExpiringActivity {
  /// Begins an activity.
  ///
  /// - Parameters:
  ///   - reason: The purpose, for logs of the system.
  ///   - system: Asks the system; nil where it suspends no program.
  ///   - onExpire: Releases what must not be held any more, on any thread; not called once the activity has ended.
  /// - Returns: The activity; nil if the system gives no time.
  static func begin(
    _ reason: String, by system: System?, onExpire: @escaping @Sendable () -> Void
  ) async -> ExpiringActivity? {
    let activity = ExpiringActivity(onExpire)
    guard let system else { return activity }
    let isGiven = await withCheckedContinuation { answer in
      activity.state.withLock { $0.answer = answer }
      system(reason) { isExpired in
        if isExpired { activity.expire() } else { activity.run() }
      }
    }
    return isGiven ? activity : nil
  }

  /// Ends the activity, unless it is over.
  func end() {
    state.withLock { $0.isOver = true }
    ending.signal()
  }

  /// Keeps the system's thread until the activity ends.
  private func run() {
    let answer = takeAnswer()
    answer?.resume(returning: true)
    if answer != nil { ending.wait() }
  }

  private func expire() {
    if let answer = takeAnswer() { return answer.resume(returning: false) }
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isFirst else { return }
    onExpire()
    ending.signal()
  }

  private func takeAnswer() -> CheckedContinuation<Bool, Never>? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }
}

#if !canImport(Darwin) || os(macOS)
  extension ExpiringActivity {
    /// None, since the system suspends no program.
    package static var system: System? { nil }
  }
#endif

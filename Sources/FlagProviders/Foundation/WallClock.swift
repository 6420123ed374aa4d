public import FlagDomain
import Foundation

/// The time of day, and what tells when a moment has come.
public struct WallClock: Sendable {
  /// Returns the time, in seconds since 1970-01-01 UTC.
  public let now: @Sendable () -> Int64
  let wake: (@Sendable (_ seconds: Int64, _ action: @escaping @Sendable () -> Void) -> FlagSubscription)?

  /// Creates a clock that tells the time alone: what depends on it is asked for at each read, and not announced.
  ///
  /// - Parameter now: Returns the time, in seconds since 1970-01-01 UTC. It is called on any thread.
  public init(now: @escaping @Sendable () -> Int64) {
    self.now = now
    wake = nil
  }

  /// Creates a clock that also tells when a moment has come.
  ///
  /// - Parameters:
  ///   - now: Returns the time, in seconds since 1970-01-01 UTC. It is called on any thread.
  ///   - wake: Calls a closure once, from any thread but not before it returns, when the time has reached so many
  ///     seconds since 1970-01-01 UTC; not any more after the subscription ended.
  public init(
    now: @escaping @Sendable () -> Int64,
    wake: @escaping @Sendable (_ seconds: Int64, _ action: @escaping @Sendable () -> Void) -> FlagSubscription
  ) {
    self.now = now
    self.wake = wake
  }

  /// The time, where the clock also tells when a moment has come; nil for one that does not.
  package var moment: Int64? { wake == nil ? nil : now() }
}

extension WallClock {
  /// The system's clock, followed where it is set and while the system sleeps.
  public static let system = WallClock {
    Int64(Date.now.timeIntervalSince1970)
  } wake: { seconds, action in
    let waiting = WaitingAction(action)
    let deadline = DispatchWallTime(timespec: timespec(tv_sec: time_t(clamping: seconds), tv_nsec: 0))
    DispatchQueue.global().asyncAfter(wallDeadline: deadline) { waiting.take()?() }
    return FlagSubscription { _ = waiting.take() }
  }
}

/// A closure that is called once, unless it is taken away before.
private final class WaitingAction: Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  /// Takes the closure out, so that it is called and released outside of the lock.
  func take() -> (@Sendable () -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }
}

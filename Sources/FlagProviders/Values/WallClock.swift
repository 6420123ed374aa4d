import Dispatch
public import FlagDomain
import FlagFoundation
import FlagSupport

/// A clock of the time of day, which can also wait for a moment.
public struct WallClock: Sendable {
  /// The time, in seconds since 1970-01-01 UTC.
  public let now: @Sendable () -> Int64
  let wake: (@Sendable (_ seconds: Int64, _ action: @escaping @Sendable () -> Void) -> FlagSubscription)?

  /// Creates a clock that only returns the time: values that depend on it are computed at each read, without
  /// notifications.
  ///
  /// - Parameter now: Returns the time, in seconds since 1970-01-01 UTC. It is called on any thread.
  public init(now: @escaping @Sendable () -> Int64) {
    self.now = now
    wake = nil
  }

  /// Creates a clock that can also wait for a moment.
  ///
  /// - Parameters:
  ///   - now: Returns the time, in seconds since 1970-01-01 UTC. It is called on any thread.
  ///   - wake: Calls a closure once, from any thread but not before it returns, when the time has reached a number of
  ///     seconds since 1970-01-01 UTC; no longer after the subscription has ended.
  public init(
    now: @escaping @Sendable () -> Int64,
    wake: @escaping @Sendable (_ seconds: Int64, _ action: @escaping @Sendable () -> Void) -> FlagSubscription
  ) {
    self.now = now
    self.wake = wake
  }

  /// The time, if the clock can also wait for a moment; otherwise nil.
  package var moment: Int64? { wake == nil ? nil : now() }

  /// The system's clock, whose waits account for clock changes and system sleep.
  public static let system = WallClock {
    Int64(Date.now.timeIntervalSince1970)
  } wake: { seconds, action in
    let waiting = WaitingAction(action)
    let deadline = DispatchWallTime(timespec: timespec(tv_sec: time_t(clamping: seconds), tv_nsec: 0))
    DispatchQueue.global().asyncAfter(wallDeadline: deadline) { waiting.take()?() }
    return FlagSubscription { _ = waiting.take() }
  }
}

/// A closure that is called once, unless it is cancelled before.
private final class WaitingAction: Sendable {
  private let action: Locked<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

  /// Removes and returns the closure, so that it is called and released outside the lock.
  func take() -> (@Sendable () -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }
}

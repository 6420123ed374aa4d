import FlagDomain

/// An alarm for the next instant at which rules about the time may have another result.
package final class InstantAlarm: Sendable {
  private struct State {
    var instant: Int64?
    var waiting: FlagSubscription?
  }

  private let clock: WallClock
  private let next: @Sendable () -> Int64?
  private let onInstant: @Sendable () -> Void
  private let state = Locked(State())

  /// The maximum time between two looks at the clock, since it may have been set back: an hour.
  private static let maximumSleep: Int64 = 3600

  /// Creates an alarm that is not set.
  ///
  /// - Parameters:
  ///   - clock: The clock; without a way to wait for a moment, the alarm never fires.
  ///   - next: Returns the next instant, in seconds since 1970-01-01 UTC; nil for none. It is called with a lock held.
  ///   - onInstant: Moves on to the current time. It is called on any thread, with no lock held.
  package init(_ clock: WallClock, next: @escaping @Sendable () -> Int64?, onInstant: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.next = next
    self.onInstant = onInstant
  }
}

extension InstantAlarm {
  /// Sets the alarm to the next instant, as of now.
  ///
  /// The instant is computed under the lock, so the last of several calls sets the newest one.
  package func reset() {
    guard let wake = clock.wake else { return }
    let last = state.withLock { state -> FlagSubscription? in
      let instant = next()
      guard instant != state.instant else { return nil }
      let last = state.waiting
      state.instant = instant
      state.waiting = instant.map { instant in
        wake(min(instant, clock.now() + Self.maximumSleep)) { [weak self] in self?.ring(instant) }
      }
      return last
    }
    _ = consume last  // released outside the lock
  }

  private func ring(_ instant: Int64) {
    state.withLock { if $0.instant == instant { $0.instant = nil } }
    onInstant()
    reset()
  }
}

import FlagDomain

/// An alarm for the next instant at which rules about the time may have another result.
package final class InstantAlarm: Sendable {
  private struct State {
    var instant: Int64?
    var waiting: FlagSubscription?
    /// The numbers of the last reset, of the newest that counts, and of the one that set the instant.
    var last = 0
    var newest = 0
    var setter = 0
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
  ///   - next: Returns the next instant, in seconds since 1970-01-01 UTC; nil for none.
  ///   - onInstant: Moves on to the current time. Both are called on any thread, with no lock held.
  package init(_ clock: WallClock, next: @escaping @Sendable () -> Int64?, onInstant: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.next = next
    self.onInstant = onInstant
  }

  /// Sets the alarm to the next instant, as of now.
  ///
  /// Of several calls, the one that began last counts.
  package func reset() {
    guard let wake = clock.wake else { return }
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let instant = next()
    let (isNew, last) = state.withLock { state -> (Bool, FlagSubscription?) in
      guard number > state.newest else { return (false, nil) }
      state.newest = number
      guard instant != state.instant else { return (false, nil) }
      defer { (state.instant, state.setter, state.waiting) = (instant, number, nil) }
      return (true, state.waiting)
    }
    _ = consume last  // released outside the lock
    guard isNew, let instant else { return }
    let waiting = wake(min(instant, clock.now() + Self.maximumSleep)) { [weak self] in self?.ring(instant) }
    let unused = state.withLock { state -> FlagSubscription? in
      guard state.setter == number else { return waiting }
      state.waiting = waiting
      return nil
    }
    _ = consume unused  // released outside the lock
  }

  private func ring(_ instant: Int64) {
    state.withLock { if $0.instant == instant { $0.instant = nil } }
    onInstant()
    reset()
  }
}

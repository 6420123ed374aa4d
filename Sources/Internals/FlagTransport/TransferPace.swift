import FlagDomain

/// The progress of a request, which may be slow, but neither silent nor endless.
///
/// It ends when no byte is sent or received for the timeout, when fewer than ``minimumRate`` bytes a second are after
/// the first such period, or at a limit of all. So a slow link carries a large document, and a server that answers drop
/// by drop holds no request for long. What has arrived and waits for a busy host is no silence of the other side.
package final class TransferPace: Sendable {
  /// The minimum number of bytes a second, in both directions together.
  static let minimumRate = 100

  private let uptime: @Sendable () -> Duration
  private let state: Locked<State>

  private struct State {
    var bytes = 0
    var lastAt: Duration
    weak var exchange: Exchange?
  }

  package init(_ uptime: @escaping @Sendable () -> Duration) {
    self.uptime = uptime
    state = Locked(State(lastAt: uptime()))
  }

  /// Counts what an exchange moves from now on, and what it has moved.
  package func follow(_ exchange: Exchange) {
    let now = uptime()
    state.withLock { ($0.exchange, $0.lastAt) = (exchange, now) }
    exchange.onMove { [self] in add($0) }
  }

  /// Counts bytes that were sent or received, from any thread.
  private func add(_ count: Int) {
    let now = uptime()
    state.withLock { ($0.bytes, $0.lastAt) = ($0.bytes &+ count, now) }
  }

  /// Returns what was moved, and when last: now, unless the exchange waits for the other side.
  private func progress(at now: Duration) -> (bytes: Int, lastAt: Duration, isAwaited: Bool) {
    let exchange = state.withLock { $0.exchange }
    let isAwaited = exchange?.isAwaited ?? false
    return state.withLock { state in
      if !isAwaited { state.lastAt = now }
      return (state.bytes, state.lastAt, isAwaited)
    }
  }

  /// Waits until a limit is exceeded, and returns which.
  package func waitForExpiry(
    silence: Duration, total: Duration, on clock: any Clock<Duration>
  ) async throws -> TransportError {
    let start = uptime()
    // The first period is that of the connection, and of the work of the host.
    var period = (start: start, bytes: 0, isFirst: true)
    while true {
      let now = uptime()
      let (bytes, lastAt, isAwaited) = progress(at: now)
      if now - lastAt >= silence { return .timedOut(silence) }
      if now - start >= total { return .unfinished(total) }
      if !isAwaited { period = (now, bytes, true) }
      let passed = now - period.start
      if passed >= silence {
        let isSlow = .seconds(bytes &- period.bytes) < passed * Self.minimumRate
        if isSlow, !period.isFirst { return .tooSlow(Self.minimumRate) }
        period = (now, bytes, false)
      }
      try await clock.sleep(for: min(lastAt + silence, start + total) - now)
    }
  }
}

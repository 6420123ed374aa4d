public import FlagDomain

/// The network between a mock service and its client, with a latency and failures that the caller sets.
public final class MockNetwork: Sendable {
  private struct State {
    var latency: Duration
    var failure: FlagError?
    var requests = 0
  }

  private let clock: any Clock<Duration>
  private let state: Locked<State>
  let uptime: @Sendable () -> Duration

  /// Creates a network that works.
  ///
  /// - Parameters:
  ///   - latency: The time that each request takes.
  ///   - clock: The clock for the latency and for the mock services' intervals.
  public init(latency: Duration = .zero, clock: some Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    state = Locked(State(latency: latency))
    let start = clock.now
    uptime = { start.duration(to: clock.now) }
  }

  /// The time that each request takes.
  public var latency: Duration {
    get { state.withLock { $0.latency } }
    set { state.withLock { $0.latency = newValue } }
  }

  /// The error with which each request fails, while nothing is pushed; nil if the network works.
  public var failure: FlagError? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// The number of requests so far.
  public var requests: Int { state.withLock { $0.requests } }

  /// Performs a request after the latency, unless the network fails by then.
  func request<Answer: Sendable>(_ answer: @Sendable () -> Answer) async throws(FlagError) -> Answer {
    let latency = state.withLock { state in
      state.requests += 1
      return state.latency
    }
    do {
      if latency > .zero { try await clock.sleep(for: latency) }
    } catch {
      throw FlagError(.general, "the request was cancelled", isTransient: true)
    }
    if let failure { throw failure }
    return answer()
  }
}

extension FlagError {
  /// The error of an unreachable service.
  public static let outage = FlagError(.general, "the service cannot be reached")
}

public import FlagDomain

/// The weather between a mock service and its client: latency, failures and outages, as the caller sets them.
public final class MockNetwork: Sendable {
  private struct State {
    var latency: Duration
    var failure: FlagError?
    var requests = 0
  }

  private let clock: any Clock<Duration>
  private let state: Locked<State>
  /// Returns the time since the network was made.
  let uptime: @Sendable () -> Duration

  /// Creates a network that works.
  ///
  /// - Parameters:
  ///   - latency: How long each request takes.
  ///   - clock: What the latency, and the mock services' own intervals, are timed by.
  public init(latency: Duration = .zero, clock: some Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    state = Locked(State(latency: latency))
    let start = clock.now
    uptime = { start.duration(to: clock.now) }
  }
}

extension MockNetwork {
  /// How long each request takes from now on.
  public var latency: Duration {
    get { state.withLock { $0.latency } }
    set { state.withLock { $0.latency = newValue } }
  }

  /// Why each request fails from now on, and nothing is pushed; nil where the network works.
  public var failure: FlagError? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  /// How many requests were made.
  public var requests: Int { state.withLock { $0.requests } }

  /// Takes a request to the service and its answer back; it fails where the network does by then.
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
  /// What an unreachable service looks like.
  public static let outage = FlagError(.general, "the service cannot be reached")
}

public import FlagDomain

/// A provider of a remote service's answers for whoever is signed in.
///
/// ```swift
/// RemoteProvider(MockLaunchDarkly(["new-user-profile": true]))
/// ```
///
/// - *Users.* It fetches for visitors at once, and for each user that is set. The answers for another user are gone when
///   ``setUser(_:)`` returns. In a context of any other user than the current one the provider has no answers.
/// - *Readiness.* Before the first answers for a user, each flag is an error of code `PROVIDER_NOT_READY` that says why,
///   so the next provider is asked, and resolutions show it.
/// - *Order.* The newest fetch or push counts. What an older fetch brings later is dropped.
/// - *Failures.* A failed fetch is tried again, less and less often. Until one succeeds, the last answers for the same
///   user stay, with the reason `STALE`.
///
/// A provider that is let go of cancels all that it has started.
public final class RemoteProvider: Sendable {
  private struct Work {
    var fetch: Task<Void, Never>?
    var retry: Task<Void, any Error>?
    var failures = 0
    var subscription: FlagSubscription?
  }

  /// The service's name.
  public let name: String
  private let service: any RemoteFlagService
  private let policy: RemotePolicy
  private let clock: any Clock<Duration>
  private let live: Live<RemoteState>
  private let work = Locked(Work())
  private let waiters = RemoteWaiters()

  /// Creates a provider, which begins to fetch at once.
  ///
  /// - Parameters:
  ///   - service: The service to ask.
  ///   - policy: When to give up, and when to try again.
  ///   - clock: What times that.
  public init(
    _ service: some RemoteFlagService, policy: RemotePolicy = RemotePolicy(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    name = service.name
    self.service = service
    self.policy = policy
    self.clock = clock
    live = Live(RemoteState(provider: service.name))
    let subscription = service.subscribe { [weak self] in self?.accept($0) }
    work.withLock { $0.subscription = subscription }
    startFetch()
  }

  deinit {
    work.withLock {
      $0.fetch?.cancel()
      $0.retry?.cancel()
    }
  }
}

extension RemoteProvider: ChangingFlagProvider {
  /// Returns the answers at this moment, for the user of this moment.
  public func snapshot() -> any ProviderSnapshot { live.current }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    live.subscribe(onChange)
  }
}

extension RemoteProvider: UserAuthenticator {
  /// Drops the answers for another user, and fetches those for this one; it does not wait for them.
  public func setUser(_ user: User?) {
    guard live.update({ $0.setUser(user) }) else { return }
    work.withLock { $0.failures = 0 }
    startFetch()
  }
}

extension RemoteProvider {
  /// How far the provider has got at this moment.
  public var status: Status { live.current.status }

  /// Fetches again, and waits for the end of that fetch, or of a newer one that overtakes it.
  ///
  /// - Throws: Why there are no new answers. Those that were there stay in use, as stale.
  public func refresh() async throws(FlagError) {
    try await startFetch().first()
  }

  /// Waits for answers for the current user, and returns at once where there are some.
  ///
  /// - Throws: Why there are none, as soon as an attempt has failed. So the wait ends with the timeout, if not before.
  public func waitUntilReady() async throws(FlagError) {
    if try isSettled() { return }
    let outcomes = waiters.join(for: 0)
    // The fetch may have ended before this task joined.
    if try isSettled() { return }
    try await outcomes.first()
  }

  private func isSettled() throws(FlagError) -> Bool {
    switch status {
    case .ready, .stale: true
    case .failed(let error): throw error
    case .waiting: false
    }
  }
}

extension RemoteProvider {
  /// Starts a fetch for the current user, which makes earlier ones void.
  ///
  /// - Returns: The outcome of the fetch, or of a newer one; joined before the fetch can end.
  @discardableResult
  private func startFetch() -> AsyncStream<RemoteWaiters.Outcome> {
    let (number, user, outcomes, former) = work.withLock { work in
      let (number, user) = live.update { ($0.begin(), $0.user) }
      let former = work
      (work.fetch, work.retry) = (nil, nil)
      return (number, user, waiters.join(for: number), former)
    }
    // Outside the lock, since a service may call back when it is told to give up; and before the new fetch begins.
    former.fetch?.cancel()
    former.retry?.cancel()
    fetch(number, for: user)
    return outcomes
  }

  /// Fetches for a user, unless a newer fetch has begun meanwhile.
  private func fetch(_ number: Int, for user: User?) {
    work.withLock { work in
      guard live.current.number == number else { return }
      work.fetch = Task { [weak self, service, policy, clock] in
        let outcome = await withTimeout(policy.timeout, on: clock) { () async throws(FlagError) in
          try await service.fetch(for: user)
        }
        self?.finish(number, with: outcome)
      }
    }
  }

  private func finish(_ number: Int, with outcome: Result<RemoteAnswers, FlagError>) {
    guard live.update({ $0.finish(number, with: outcome) }) else { return }
    switch outcome {
    case .success: work.withLock { $0.failures = 0 }
    case .failure: retryLater(than: number)
    }
    waiters.finish(number, with: outcome.map { _ in })
  }

  private func retryLater(than number: Int) {
    work.withLock { work in
      guard live.current.number == number else { return }
      work.failures += 1
      let delay = policy.delay(afterFailures: work.failures)
      work.retry = Task { [weak self, clock] in
        try await clock.sleep(for: delay)
        self?.startFetch()
      }
    }
  }

  private func accept(_ update: RemoteUpdate) {
    switch update {
    case .answers(let answers, for: let user):
      if let number = live.update({ $0.push(answers, for: user) }) { waiters.finish(number, with: .success(())) }
    case .outdated: startFetch()
    }
  }
}

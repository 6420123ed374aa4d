public import FlagDomain

/// A provider of a remote service's answers for the current user.
///
/// ```swift
/// RemoteProvider(MockLaunchDarkly(["new-user-profile": true]))
/// ```
///
/// - *Users.* It fetches for visitors when it is created, and for each user that is set. The answers for the previous
///   user are dropped before ``setUser(_:)`` returns. For any user but the current one, the provider has no answers.
/// - *Readiness.* Until there are answers for a user, each flag is an error with the code `PROVIDER_NOT_READY`. The
///   next provider is asked, and resolutions show the error.
/// - *Order.* The newest fetch or push wins. Late answers of an older fetch are dropped. One fetch runs at a time; an
///   update that the service announces meanwhile is fetched after it.
/// - *Failures.* A failed fetch is retried with increasing delays. Until one succeeds, the last answers for the same
///   user stay in use, with the reason `STALE`.
/// - *Waiting.* Every wait ends after the policy's timeout at the latest.
///
/// A provider that is released cancels its fetches and retries.
public final class RemoteProvider: Sendable {
  private struct Work {
    var fetches: [Int: Task<Void, Never>] = [:]
    var retries: [Int: Task<Void, any Error>] = [:]
    var waiters: [Int: AsyncStream<FlagError?>.Continuation] = [:]
    var subscription: FlagSubscription?
  }

  /// The service's name.
  public let name: String
  private let service: any RemoteFlagService
  private let policy: RemotePolicy
  private let clock: any Clock<Duration>
  private let content: ObservableContent<RemoteState>
  /// The running tasks; locked before the content, never while that is locked.
  private let work = Locked(Work())

  /// Creates a provider, which starts to fetch at once.
  ///
  /// - Parameters:
  ///   - service: The service to ask.
  ///   - policy: The timeout and the retry delays.
  ///   - clock: The clock for both.
  public init(
    _ service: some RemoteFlagService, policy: RemotePolicy = RemotePolicy(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    name = service.name
    self.service = service
    self.policy = policy
    self.clock = clock
    content = ObservableContent(RemoteState(provider: service.name, policy: policy))
    let subscription = service.subscribe { [weak self] in self?.accept($0) }
    work.withLock { $0.subscription = subscription }
    perform(content.update { $0.start() })
  }

  deinit {
    work.withLock {
      for fetch in $0.fetches.values { fetch.cancel() }
      for retry in $0.retries.values { retry.cancel() }
    }
  }
}

extension RemoteProvider: ObservableFlagProvider {
  /// Returns the current answers for the current user.
  public func snapshot() -> any ProviderSnapshot { content.current.snapshot }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    content.subscribe(onChange)
  }
}

extension RemoteProvider: UserAuthenticator {
  /// Drops the answers for the previous user, and starts to fetch those for this one.
  public func setUser(_ user: FlagUser?) { perform(content.update { $0.setUser(user) }) }
}

extension RemoteProvider: RefreshableFlagProvider {
  /// The current status.
  public var status: Status { content.current.snapshot.status }

  /// Fetches again, and waits until that fetch or a newer one ends.
  ///
  /// A fetch that is already running may have been answered before this call, so another one follows it.
  ///
  /// - Throws: The error, if there are no new answers within the policy's timeout. The previous answers stay in use, as
  ///   stale.
  public func refresh() async throws(FlagError) { try await wait { $0.refresh() } }

  /// Waits for answers for the current user; returns at once if there are some.
  ///
  /// - Throws: The error, as soon as an attempt fails, or when the policy's timeout is over.
  public func waitUntilReady() async throws(FlagError) {
    if case .failed(let error) = status { throw error }
    try await wait { ($0.join(), []) }
    if case .failed(let error) = status { throw error }
  }

  /// Waits until a waiter is resumed; returns at once if there is none.
  private func wait(
    _ join: (inout RemoteState) -> (waiter: Int?, actions: [RemoteState.Action])
  ) async throws(FlagError) {
    let (outcomes, continuation) = AsyncStream.makeStream(of: FlagError?.self)
    let (waiter, actions) = work.withLock { work in
      let (waiter, actions) = content.update(join)
      if let waiter { work.waiters[waiter] = continuation }
      return (waiter, actions)
    }
    perform(actions)
    guard let waiter else { return }
    let outcome = await withTimeout(policy.usableTimeout, on: clock) { () async throws(FlagError) in
      for await error in outcomes { if let error { throw error } else { return } }
    }
    leave(waiter)
    try outcome.get()
  }

  private func leave(_ waiter: Int) {
    content.update { $0.leave(waiter) }
    work.withLock { _ = $0.waiters.removeValue(forKey: waiter) }
  }
}

extension RemoteProvider {
  private func accept(_ update: RemoteUpdate) {
    perform(
      content.update { state in
        switch update {
        case .answers(let answers, for: let user): state.push(answers, for: user)
        case .outdated: state.outdate()
        }
      })
  }

  /// Performs actions, with no lock held: a service may call back when its fetch is cancelled.
  private func perform(_ actions: [RemoteState.Action]) {
    for action in actions {
      switch action {
      case .fetch(let number, for: let user): fetch(number, for: user)
      case .cancelFetch(let number): work.withLock { $0.fetches.removeValue(forKey: number) }?.cancel()
      case .retry(let number, after: let delay): retry(number, after: delay)
      case .cancelRetry(let number): work.withLock { $0.retries.removeValue(forKey: number) }?.cancel()
      case .resume(let number, let error):
        let continuation = work.withLock { $0.waiters.removeValue(forKey: number) }
        continuation?.yield(error)
        continuation?.finish()
      }
    }
  }

  /// Fetches for a user, unless another thread has cancelled that meanwhile.
  private func fetch(_ number: Int, for user: FlagUser?) {
    let isWanted = work.withLock { work in
      guard content.current.fetch == number else { return false }
      work.fetches[number] = Task { [weak self, service, policy, clock] in
        let outcome = await withTimeout(policy.usableTimeout, on: clock) { [weak self] () async throws(FlagError) in
          defer { self?.release(number) }
          return try await service.fetch(for: user)
        }
        self?.settle(number, with: outcome)
      }
      return true
    }
    if !isWanted { release(number) }
  }

  private func settle(_ number: Int, with outcome: Result<RemoteAnswers, FlagError>) {
    work.withLock { _ = $0.fetches.removeValue(forKey: number) }
    perform(content.update { $0.settle(number, with: outcome) })
  }

  private func release(_ number: Int) { perform(content.update { $0.release(number) }) }

  private func retry(_ number: Int, after delay: Duration) {
    work.withLock { work in
      guard content.current.retry == number else { return }
      work.retries[number] = Task { [weak self, clock] in
        try await clock.sleep(for: delay)
        self?.work.withLock { _ = $0.retries.removeValue(forKey: number) }
        self.map { provider in provider.perform(provider.content.update { $0.retry(number) }) }
      }
    }
  }
}

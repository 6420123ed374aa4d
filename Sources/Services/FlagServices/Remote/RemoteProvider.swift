public import FlagDomain
import FlagProviders

/// A provider of a remote service's answers for the current user.
///
/// ```swift
/// RemoteProvider(MockLaunchDarkly(["new-user-profile": true]))
/// ```
///
/// - *Users.* It fetches for visitors when it is created, and for each user that is set. The answers for the previous
///   user are dropped before ``setContext(_:)`` returns; cached ones for the new user are served until new ones arrive.
///   For any user but the current one, each flag is an error with the code `USER_MISMATCH`. Users differ by
///   their ids: where only attributes differ, the previous answers stay, as `STALE`, until the new ones arrive.
/// - *Context.* If the service receives other attributes, a change of one is like a change of the user, but the
///   previous answers stay until the new ones arrive. A client passes its attributes and the visitor's id on.
/// - *Readiness.* Until there are answers for a user, each flag is an error with the code `PROVIDER_NOT_READY`. The
///   next provider is queried, and resolutions show the error.
/// - *Order.* The newest fetch or push wins. Late answers of an older fetch are dropped. One fetch runs at a time; an
///   update that the service announces meanwhile is fetched after it.
/// - *Cache.* With a cache, the last answers are served at the next start before the service has
///   answered, with the reason `CACHED`. What a snapshot computes is not cached.
/// - *Failures.* A failed fetch is retried with increasing delays, with full jitter. Until one succeeds, the last
///   answers for the same user stay in use, with the reason `STALE`.
/// - *Waiting.* Every wait ends: after the policy's timeout, or when the request to the service has ended.
///
/// A provider that is released cancels its fetches and retries. Everything here may be used from any thread.
public final class RemoteProvider: Sendable {
  /// The service's name.
  public var name: String { client.name }
  let client: SourceClient<RemoteAnswers>
  /// The attributes that no other provider receives.
  private let own: Locked<[String: FlagValue]>
  private let subscription = Locked<FlagSubscription?>(nil)

  /// Creates a provider, which starts to fetch at once.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - cache: The cache of its answers, which is read at once; nil for none. Services of one name need different
  ///     folders, or caches of different names.
  ///   - onCacheError: A closure that receives each cause for which answers could not be cached, once, and the end, on
  ///     any thread.
  ///   - policy: The timeout and the retry delays.
  ///   - clock: The clock for both.
  public convenience init(
    _ service: some RemoteFlagService, cache: AnswerCache? = nil,
    onCacheError: @escaping @Sendable (FlagError) -> Void = { _ in }, policy: RemotePolicy = RemotePolicy(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      service, cache: cache, onCacheError: onCacheError, policy: policy, environment: FollowerEnvironment(clock: clock))
  }

  package convenience init(
    _ service: some RemoteFlagService, cache: AnswerCache? = nil,
    onCacheError: @escaping @Sendable (FlagError) -> Void = { _ in }, policy: RemotePolicy = RemotePolicy(),
    environment: FollowerEnvironment
  ) {
    let source = ServiceSource(service: service, policy: policy, clock: environment.clock)
    var options = policy.options
    (options.cache, options.onCacheError) = (cache, onCacheError)
    let client = SourceClient(source, name: service.name, options: options, environment: environment)
    self.init(following: client)
    let subscription = service.subscribe { [weak client] update in
      switch update {
      case .answers(let answers, for: let user): client?.push(answers) { $0.user == user }
      case .outdated: client?.outdate()
      }
    }
    self.subscription.withLock { $0 = subscription }
    // Started last, so that no update is missed.
    client.start()
  }

  /// Creates a provider of the answers of a client, which it starts.
  package convenience init(_ client: SourceClient<RemoteAnswers>) {
    self.init(following: client)
    client.start()
  }

  private init(following client: SourceClient<RemoteAnswers>) {
    self.client = client
    own = Locked(client.content.current.follower.context.attributes)
  }
}

extension RemoteProvider: FlagProvider {
  /// Returns the current answers for the current user.
  public func snapshot() -> any ProviderSnapshot {
    let content = client.content.current
    return content.served.snapshot(for: content.follower.context, of: name)
  }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    client.content.subscribe(onChange)
  }

  /// The status of the answers for the current user.
  public var providerStatus: ProviderStatus { client.content.current.status }

  /// True: the answers are those of one user.
  public var isPersonal: Bool { true }

  /// Drops the answers for another user, and starts to fetch those that the context needs; it does not wait for them.
  ///
  /// Attributes that ``updateAttributes(_:removing:)`` has set stay.
  public func setContext(_ context: EvaluationContext) {
    client.updateContext { current in
      current = context
      // Under the lock of the context, so that attributes that are set meanwhile are not lost.
      current.updateAttributes(own.withLock { $0 }, removing: [])
    }
  }

  /// Fetches again, and waits until that fetch or a newer one ends.
  ///
  /// A fetch that is already running may have been answered before this call, so another one follows it.
  ///
  /// - Throws: The error, if there are no new answers, or on timeout. The previous answers stay in use, as stale.
  public func refresh() async throws(FlagError) { try await client.refresh() }
}

extension RemoteProvider {
  /// The attributes besides the user; a ``ContextualFlagService`` receives them, and an OFREP service does.
  public var attributes: [String: FlagValue] { client.content.current.follower.context.attributes }

  /// Sets attributes that this service alone receives, removes such, and starts to fetch the answers that depend on
  /// them.
  public func updateAttributes(_ values: [String: FlagValue], removing names: Set<String> = []) {
    own.withLock { own in
      for name in names { own[name] = nil }
      own.merge(values) { $1 }
    }
    client.updateContext { $0.updateAttributes(values, removing: names) }
  }

  /// Waits for answers for the current user; returns at once if there are some.
  ///
  /// - Throws: The error, as soon as an attempt fails, or on timeout.
  public func waitUntilReady() async throws(FlagError) {
    if providerStatus.state == .error, let error = providerStatus.error { throw error }
    try await client.waitForValues()
    if providerStatus.state == .error, let error = providerStatus.error { throw error }
  }

  /// Fetches now, without waiting: for an app that has come to the foreground.
  ///
  /// A delay that the service has requested by `Retry-After` is not shortened.
  public func becomeActive() { client.becomeActive() }

  /// Closes the stream, and polls and retries no more until ``becomeActive()``: for an app that goes to the background.
  ///
  /// A request that is under way ends. Another user, other attributes and ``refresh()`` still send one. The status
  /// stays as it is.
  public func enterBackground() { client.enterBackground() }

  /// Serves the newest answers, if values stay the same for a session.
  public func activate() { client.activate() }

  /// Returns when the answers that have arrived by now are cached.
  package func waitForWrites() async { await client.waitForWrites() }
}

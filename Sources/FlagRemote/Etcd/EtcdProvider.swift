public import FlagDefinitions
public import FlagDomain
import FlagHTTP
import FlagProviders

/// A provider that follows sets of definitions in etcd, and evaluates them here.
///
/// ```swift
/// let settings = try EtcdSettings(endpoints: ["https://etcd-0:2379", "https://etcd-1:2379"])
/// let provider = EtcdProvider(sets: ["shared", "shop"], server: "shop-17", settings: settings, cache: cache)
/// ```
///
/// - *Reads* never wait: they see the last good definitions, and each change as a whole.
/// - *Sets.* Of two flags with one key, that of the later set counts; a rule uses the shared rules of its own set.
///   There are no values before every set has been read, or was kept by an earlier run.
/// - *Failures.* While no member answers, or a set cannot be served, its last good definitions stay, with the reason
///   `STALE`. It goes on trying, and recovers by itself.
/// - *Keeping.* With a cache, the last good definitions are there at the next start, with the reason `CACHED`.
///
/// It follows until it is closed or let go of. Everything here may be used from any thread.
public final class EtcdProvider: Sendable {
  /// The provider's name.
  public let name: String
  private let stores: [EtcdDefinitionStore]
  private let content: ObservableContent<ServedContent<EtcdFormat>>
  private let instants: FollowedInstants
  private let subscriptions = Locked<[FlagSubscription]>([])

  /// Creates a provider, which reads what was kept, and begins to follow the sets at once.
  ///
  /// - Parameters:
  ///   - sets: The names of the sets, in the order in which later ones count more.
  ///   - server: The name of this process, unique among those that follow the sets: it decides whether the process runs
  ///     a candidate, and what it runs is reported under it. With nil it runs none, and reports nothing.
  ///   - settings: Where the members are.
  ///   - name: The provider's name.
  ///   - bucketing: Which bytes decide a user's share.
  ///   - cache: Keeps the last good document of each set on disk; nil for nobody.
  ///   - onCacheError: Hears of a document that could not be kept or read, on any thread.
  public convenience init(
    sets: [String], server: String? = nil, settings: EtcdSettings, name: String = "etcd", bucketing: Bucketing = .v3,
    cache: AnswerCache? = nil, onCacheError: @escaping @Sendable (FlagError) -> Void = { _ in }
  ) {
    self.init(
      sets: sets, server: server, settings: settings, name: name, bucketing: bucketing, cache: cache,
      onCacheError: onCacheError
    ) { ServiceEnvironment(settings.certificates) }
  }

  /// Creates a provider with an environment for each set: a session keeps few connections open to a host, and a watch
  /// takes one.
  package init(
    sets: [String], server: String? = nil, settings: EtcdSettings, name: String = "etcd", bucketing: Bucketing = .v3,
    cache: AnswerCache? = nil, onCacheError: @escaping @Sendable (FlagError) -> Void = { _ in },
    environment: () -> ServiceEnvironment
  ) {
    self.name = name
    let environments = sets.map { _ in environment() }
    let clock = environments.first?.time ?? .system
    content = ObservableContent(ServedContent(EtcdFormat(clock: clock), provider: name))
    instants = FollowedInstants(of: content)
    stores = zip(sets, environments).map { set, environment in
      EtcdDefinitionStore(
        set: set, server: server, settings: settings, bucketing: bucketing, cache: cache, onCacheError: onCacheError,
        environment: environment)
    }
    let subscriptions = stores.map { store in store.subscribe { [weak self] _ in self?.merge() } }
    self.subscriptions.withLock { $0 = subscriptions }
  }

  /// Serves what the sets are now.
  private func merge() {
    content.update { content in
      // Read with the content's lock held: so whoever reads last, is who is served.
      let parts = stores.map(\.content.standingNow)
      content.take(parts, as: name)
    }
  }
}

extension EtcdProvider: ObservableFlagProvider {
  /// Returns the definitions of this moment.
  public func snapshot() -> any ProviderSnapshot { content.current.snapshot }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    content.subscribe(onChange)
  }
}

extension EtcdProvider: StatusReportingFlagProvider {
  /// How far the provider has got at this moment.
  public var providerStatus: ProviderStatus { content.current.status }
}

extension EtcdProvider: RefreshableFlagProvider {
  /// Reads all sets, as a quorum of the members has them, and waits for the end of that.
  ///
  /// - Throws: Why one of them cannot be read or served; the definitions that were there stay in use.
  public func refresh() async throws(FlagError) {
    for store in stores {
      do throws(EtcdError) {
        try await store.content.readAtQuorum()
      } catch {
        throw FlagError(.general, "\(store.name): \(error)", provider: name, isTransient: true)
      }
      if let failure = store.content.standingNow.failure { throw FlagError(failure, provider: name) }
    }
  }
}

extension EtcdProvider {
  /// Stops following and reporting; what was read last is served still.
  ///
  /// It waits for etcd's answer for as long as the settings say at most.
  public func close() async { for store in stores { await store.close() } }

  /// Returns when what has been read by now is kept.
  package func waitForWrites() async { for store in stores { await store.content.waitForWrites() } }
}

/// Definitions that are evaluated here.
struct EtcdFormat: DefinitionsAnswering {
  let clock: WallClock
}

extension ServedContent where Format == EtcdFormat {
  /// Creates content that is not asked for by requests, and so is in need of none of their state.
  fileprivate init(_ format: EtcdFormat, provider: String) {
    let idle = SyncState(SyncSchedule(), for: EvaluationContext()) { 0 }
    self.init(format, provider: provider, isLive: true, isCacheFirst: true, bundled: nil, sync: idle)
  }

  /// Takes over what sets are now, in their order.
  fileprivate mutating func take(_ parts: [EtcdSet.Now], as provider: String) {
    let definitions = parts.compactMap(\.definitions)
    if !definitions.isEmpty, definitions.count == parts.count {
      let isKept = parts.contains(where: \.isKept)
      let time = parts.compactMap(\.confirmedAt).min() ?? 0
      let tag = definitions.map(\.version.rawValue).joined(separator: " ")
      if served?.tag != tag {
        let document: FlagDocument
        do throws(FlagDocumentError) {
          document = try StoredDefinitions(merging: definitions).document
        } catch {
          return fail(FlagError(DefinitionStoreError(error, store: provider), provider: provider))
        }
        let content = TimedDocument(document, at: format.clock.moment)
        let version = Version(content: content, origin: isKept ? .cache : .service, fetchedAt: time, tag: tag)
        if isKept { begin(with: .success(version)) } else { accept(version) }
      } else if !isKept {
        _ = confirm(at: time)
      }
    }
    if let failure = parts.lazy.compactMap(\.failure).first { fail(FlagError(failure, provider: provider)) }
  }
}

extension FlagError {
  /// Says that a set is not as new as it could be.
  fileprivate init(_ error: DefinitionStoreError, provider: String) {
    let problem = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
    self.init(
      error.code == .invalid ? .parseError : .general,
      "\(error.store): \(error.message)\(problem.isEmpty ? "" : ": \(problem)")", provider: provider, isTransient: true)
  }
}

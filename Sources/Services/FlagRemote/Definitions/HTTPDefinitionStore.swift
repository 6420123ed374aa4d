public import FlagDefinitions
public import FlagDomain
public import FlagFoundation
package import FlagHTTP
import FlagProviders
package import FlagServices

/// A store of definitions that a service provides over HTTP.
///
/// ```swift
/// DefinitionStoreProvider(try HTTPDefinitionStore(url, options: options))
/// ```
///
/// Any server, CDN or bucket works: a GET that returns the document, preferably with an `ETag`. No users or attributes
/// leave the process.
///
/// - *Failures.* It never stops retrying. 401 and 403 are retried after 5 minutes, 429 and 503 as `Retry-After` says,
///   others by backoff with full jitter from 1 s to 5 min. Until a request succeeds, the last good definitions stay.
/// - *Caching.* With a cache, the last good document is available at the next start.
///
/// Releasing a store cancels all of its requests. All members may be used from any thread.
public final class HTTPDefinitionStore: DefinitionStore {
  /// The store's name in messages: the host of the address.
  public let name: String
  private let client: SourceClient<StoredDefinitions>
  private let updates = DefinitionUpdates()
  private let subscription = Locked<FlagSubscription?>(nil)

  /// Creates a store, which reads the cache, and starts to fetch at once.
  ///
  /// - Parameters:
  ///   - url: The address of the definitions.
  ///   - events: The address of a stream of server-sent events that announces changes; nil for a service without one.
  ///   - format: The format of the definitions.
  ///   - options: The options for requests, updates and caching.
  /// - Throws: A `FlagError` if the address is not allowed, or the bundled document cannot be served.
  public convenience init(
    _ url: URL, events: URL? = nil, format: any DefinitionFormat = .inHouse, options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      url, events: events, format: format, options: options,
      environment: ServiceEnvironment(options.certificates))
  }

  package convenience init(
    _ url: URL, events: URL? = nil, format: any DefinitionFormat = .inHouse, options: ServiceOptions = ServiceOptions(),
    environment: ServiceEnvironment
  ) throws(FlagError) {
    try self.init(
      url, events.map { DefinitionSource.Events(url: $0) }, format: format, options: options, environment: environment)
  }

  /// Creates a store of a service whose answers offer a stream of events by a header field.
  package convenience init(
    _ url: URL, events: URL, offeredBy offer: (name: HTTPFieldName, value: String), format: any DefinitionFormat,
    options: ServiceOptions, environment: ServiceEnvironment? = nil
  ) throws(FlagError) {
    try self.init(
      url, DefinitionSource.Events(url: events, offer: offer), format: format, options: options,
      environment: environment ?? ServiceEnvironment(options.certificates))
  }

  private convenience init(
    _ url: URL, _ events: DefinitionSource.Events?, format: any DefinitionFormat, options: ServiceOptions,
    environment: ServiceEnvironment
  ) throws(FlagError) {
    let source = DefinitionSource(
      connection: try ServiceConnection(url, options, environment), events: events, format: format)
    try self.init(source, at: url, options: options, environment: environment)
  }

  /// Creates a store of the definitions of a source at an address.
  package init(
    _ source: some AnswerSource<StoredDefinitions>, at url: URL, options: ServiceOptions,
    environment: ServiceEnvironment
  ) throws(FlagError) {
    name = "definitions of \(url.host() ?? "")"
    client = SourceClient(
      source, name: name, options: options.following(), bundled: try options.bundled(for: source),
      environment: environment.following)
    let subscription = client.content.subscribe { [weak self] _ in self?.notify() }
    self.subscription.withLock { $0 = subscription }
    notify()
    client.start()
  }

  /// Notifies subscribers of the current status.
  private func notify() {
    updates.notify(again: true) { [self] known in
      let status = status
      guard let definitions = status.definitions else { return nil }
      return status.failure == nil || definitions.version != known?.version ? .success(definitions) : nil
    }
    updates.notify(again: true) { [self] _ in
      status.failure.map { .failure(error($0, .unreadable)) }
    }
  }

  /// The last good definitions, or the cached or bundled ones.
  public var current: StoredDefinitions? { status.definitions }

  /// The definitions, their origin, and the reason why they may be stale.
  public var status: DefinitionStatus {
    let content = client.content.current
    let served = content.served
    var status = DefinitionStatus(served.current?.content, isSettled: served.isSettled)
    status.origin =
      switch served.current?.origin {
      case .source, nil: .store
      case .cache: .cached
      case .bundle: .bundled
      }
    status.fetchedAt = served.current?.fetchedAt
    status.failure = served.failure
    status.findings = served.findings
    status.updates = content.follower.updates
    return status
  }

  /// Passes new definitions and failures to a closure, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Throws an error, since a service is read-only.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    throw DefinitionStoreError(.notWritten, store: name, "expected a writable store, found a service")
  }

  /// Fetches the definitions unconditionally, and waits for the result.
  ///
  /// - Throws: The reason why the fetch failed; the current definitions stay in use.
  public func refresh() async throws(DefinitionStoreError) {
    do throws(FlagError) {
      try await client.refresh()
    } catch {
      throw self.error(error, error.code == .parseError ? .invalid : .unreadable)
    }
  }

  private func error(_ failure: FlagError, _ code: DefinitionStoreError.Code) -> DefinitionStoreError {
    var error = DefinitionStoreError(code, store: name, failure.message)
    error.cause = failure.code
    return error
  }

  /// Starts to fetch, and does not wait: for an app that has come to the foreground.
  ///
  /// A delay that the service requested by `Retry-After` is not shortened.
  public func becomeActive() { client.becomeActive() }

  /// Closes the stream, and polls and retries no more until ``becomeActive()``: for an app that goes to the background.
  ///
  /// A request that is under way ends. An explicit ``refresh()`` still sends one. The status stays as it is.
  public func enterBackground() { client.enterBackground() }

  /// Serves the newest definitions, if values otherwise stay the same for a session.
  public func activate() { client.activate() }

  /// Returns when all definitions received so far are written to the cache.
  package func waitForWrites() async { await client.waitForWrites() }
}

extension StoredDefinitions: DiffableContent {
  package func changes(since old: StoredDefinitions) -> ChangedKeys? { version == old.version ? nil : .all }
}

public import FlagDefinitions
public import FlagDomain
import FlagHTTP
import FlagProviders
public import Foundation

/// Definitions that a service hands out over HTTP.
///
/// ```swift
/// DefinitionsProvider(try HTTPDefinitionStore(url, options: options))
/// ```
///
/// Any server, CDN or bucket will do: a GET that answers with the document, and better with an `ETag`. Nothing about
/// users or their attributes leaves the process.
///
/// - *Failures.* No status and no failure ends it for good. 401 and 403 are tried again after 5 minutes, 429 and 503 as
///   `Retry-After` says, others by backoff with full jitter from 1 s to 5 min. Until one succeeds, the last good
///   definitions stay.
/// - *Keeping.* With a cache, the last good document is there at the next start.
///
/// A store that is released cancels all that it has started. Everything here may be used from any thread.
public final class HTTPDefinitionStore: DefinitionStore {
  /// The store's name in messages: the host of the address.
  public let name: String
  private let client: SourceClient<StoredDefinitions>
  private let updates = DefinitionUpdates()
  private let subscription = Locked<FlagSubscription?>(nil)

  /// Creates a store, which reads what was kept, and starts to fetch at once.
  ///
  /// - Parameters:
  ///   - url: The address of the definitions.
  ///   - events: The address of a stream of server-sent events that announces changes; nil for a service that is
  ///     polled.
  ///   - format: The definitions' format.
  ///   - options: How the service is asked, and what is kept.
  /// - Throws: A `FlagError` if the address may not be asked, or the bundled document cannot be served.
  public convenience init(
    _ url: URL, events: URL? = nil, format: any DefinitionFormat = .inHouse, options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      url, events: events, format: format, options: options,
      environment: ServiceEnvironment(options.certificates))
  }

  package init(
    _ url: URL, events: URL? = nil, format: any DefinitionFormat = .inHouse, options: ServiceOptions = ServiceOptions(),
    environment: ServiceEnvironment
  ) throws(FlagError) {
    let source = DefinitionSource(
      connection: try ServiceConnection(url, options, environment), events: events, format: format)
    name = "definitions of \(url.host() ?? "")"
    client = SourceClient(
      source, name: name, options: options.following(), bundled: try options.bundled(for: source),
      environment: environment.following)
    let subscription = client.subscribe { [weak self] in self?.tell() }
    self.subscription.withLock { $0 = subscription }
    tell()
    client.start()
  }

  /// Tells subscribers of the standing of this moment.
  private func tell() {
    updates.tell(again: true) { [self] known in
      let standing = standing
      guard let definitions = standing.definitions else { return nil }
      return standing.failure == nil || definitions.version != known?.version ? .success(definitions) : nil
    }
    updates.tell(again: true) { [self] _ in
      standing.failure.map { .failure(DefinitionStoreError(.unreadable, store: name, $0.message)) }
    }
  }
}

extension HTTPDefinitionStore {
  /// The definitions that were good last, or those that were kept or bundled.
  public var current: StoredDefinitions? { standing.definitions }

  /// The definitions, their origin, and why they may be out of date.
  public var standing: DefinitionStanding { client.standing }

  /// Tells a closure of new definitions and of failures, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Throws: a service is not written to.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    throw DefinitionStoreError(.notWritten, store: name, "expected a store that is written, found a service")
  }

  /// Fetches the definitions, whatever their tag, and waits for the end of that.
  ///
  /// - Throws: The reason why there are no new ones; the current ones stay in use.
  public func refresh() async throws(DefinitionStoreError) {
    do throws(FlagError) {
      try await client.refresh()
    } catch {
      throw DefinitionStoreError(error.code == .parseError ? .invalid : .unreadable, store: name, error.message)
    }
  }
}

extension HTTPDefinitionStore {
  /// Fetches now, and does not wait: for an app that has come to the foreground.
  ///
  /// A delay that the service has asked for by `Retry-After` is not shortened.
  public func becomeActive() { client.becomeActive() }

  /// Serves the newest definitions, if values stay the same for a session.
  public func activate() { client.activate() }

  /// Returns when the definitions that have arrived by now are kept.
  package func waitForWrites() async { await client.waitForWrites() }
}

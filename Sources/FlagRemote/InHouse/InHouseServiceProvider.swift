public import FlagDefinitions
public import FlagDomain
import FlagHTTP
import FlagProviders
public import Foundation

/// A provider that fetches definitions in the in-house format, and evaluates them here.
///
/// ```swift
/// try InHouseServiceProvider(url, options: options)
/// ```
///
/// Any server, CDN or bucket will do: a GET that answers with the document, and better with an `ETag`. No word about
/// users or their attributes leaves the process.
///
/// - *Reads* never wait: they see the last good document, and each new one as a whole, never nothing in between.
/// - *Failures.* No status and no failure ends it for good. 401 and 403 are tried again after 5 minutes, 429 and 503 as
///   `Retry-After` says, others by backoff with full jitter from 1 s to 5 min. Until one succeeds, the last document
///   stays, with the reason `STALE`.
/// - *Keeping.* With a cache, the last good document is there at the next start, with the reason `CACHED`.
///
/// A provider that is let go of cancels all that it has started. Everything here may be used from any thread.
public final class InHouseServiceProvider: Sendable {
  /// The provider's name.
  public var name: String { client.name }
  private let client: ServiceClient<DefinitionsFormat>
  private let instants: FollowedInstants

  /// Creates a provider, which reads what was kept, and begins to fetch at once.
  ///
  /// - Parameters:
  ///   - url: Where the definitions are.
  ///   - events: Where the service tells of changes, as server-sent events; nil for a service that is polled.
  ///   - name: The provider's name.
  ///   - bucketing: Which bytes decide a user's share.
  ///   - options: How it deals with the service.
  /// - Throws: A `FlagError` where the address is none that may be asked, or the bundled document cannot be served.
  public convenience init(
    _ url: URL, events: URL? = nil, name: String = "in-house service", bucketing: Bucketing = .v3,
    options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      url, events: events, name: name, bucketing: bucketing, options: options,
      environment: ServiceEnvironment(options.certificates))
  }

  package init(
    _ url: URL, events: URL? = nil, name: String = "in-house service", bucketing: Bucketing = .v3,
    options: ServiceOptions = ServiceOptions(), environment: ServiceEnvironment
  ) throws(FlagError) {
    let address = try ServiceAddress(url, options.credentials)
    let format = DefinitionsFormat(
      address: address, events: events, bucketing: bucketing, clock: environment.time)
    client = try ServiceClient(
      format, name: name, address: address.request(.get, url, tag: nil),
      schedule: SyncSchedule(polling: options.polling, isStreaming: options.isStreaming),
      options: options, context: EvaluationContext(), environment: environment)
    instants = FollowedInstants(of: client.content)
  }
}

extension InHouseServiceProvider: ObservableFlagProvider {
  /// Returns the definitions of this moment.
  public func snapshot() -> any ProviderSnapshot { client.snapshot }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    client.content.subscribe(onChange)
  }
}

extension InHouseServiceProvider: StatusReportingFlagProvider {
  /// How far the provider has got at this moment.
  public var providerStatus: ProviderStatus { client.status }
}

extension InHouseServiceProvider: RefreshableFlagProvider {
  /// Fetches the definitions, whatever their tag, and waits for the end of that.
  ///
  /// - Throws: Why there are no new ones; those that were there stay in use.
  public func refresh() async throws(FlagError) { try await client.refresh() }
}

extension InHouseServiceProvider {
  /// Fetches now, and does not wait: for an app that has come to the foreground.
  ///
  /// A wait that the service has asked for by `Retry-After` is not cut short.
  public func becomeActive() { client.becomeActive() }

  /// Serves the newest definitions, where values were to stay for a session.
  public func activate() {
    client.content.moveOn()
    client.activate()
  }

  /// Returns when what has been fetched by now is kept.
  package func waitForWrites() async { await client.waitForWrites() }
}

public import FlagDomain
import FlagHTTP
import FlagProviders
public import Foundation

/// A provider of any service that speaks the OpenFeature Remote Evaluation Protocol (OFREP 0.3.0).
///
/// ```swift
/// try OFREPProvider(url, options: options)
/// ```
///
/// The service evaluates all flags for whoever is signed in, at once. It is told the context, except for what the
/// options name as private.
///
/// - *Users.* When ``setUser(_:)`` returns, the answers for another user are gone; those that were kept for this one
///   are served until new ones arrive. A request for another user is cancelled, and its answer dropped.
/// - *Context.* A change of an attribute is like one of the user, but the answers from before stay until the new ones
///   arrive.
/// - *Reads* never wait. In a context of any other user than the current one the provider has no answers.
/// - *Failures.* No status and no failure ends it for good. 401 and 403 are tried again after 5 minutes, 429 and 503 as
///   `Retry-After` says, others by backoff with full jitter from 1 s to 5 min. Until one succeeds, the last answers for
///   the same user stay, with the reason `STALE`.
///
/// A provider that is let go of cancels all that it has started. Everything here may be used from any thread.
public final class OFREPProvider: Sendable {
  /// The provider's name.
  public var name: String { client.name }
  private let client: ServiceClient<OFREPFormat>

  /// Creates a provider, which reads what was kept, and begins to fetch at once, for a visitor.
  ///
  /// - Parameters:
  ///   - url: What the protocol's paths are added to.
  ///   - name: The provider's name.
  ///   - attributes: What the service is told besides the user; the same as the composition's.
  ///   - options: How it deals with the service.
  /// - Throws: A `FlagError` where the address is none that may be asked, or the bundled answers cannot be served.
  public convenience init(
    _ url: URL, name: String = "OFREP", attributes: [String: FlagValue] = [:],
    options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      url, name: name, attributes: attributes, options: options, environment: ServiceEnvironment(options.certificates))
  }

  package init(
    _ url: URL, name: String = "OFREP", attributes: [String: FlagValue] = [:],
    options: ServiceOptions = ServiceOptions(), environment: ServiceEnvironment
  ) throws(FlagError) {
    let address = try ServiceAddress(url, options.credentials)
    let format = OFREPFormat(address: address, privateAttributes: options.privateAttributes)
    client = try ServiceClient(
      format, name: name, address: address.request(.post, url, tag: nil),
      schedule: SyncSchedule(polling: options.polling, isStreaming: options.isStreaming, sourcesExpire: true),
      options: options, context: EvaluationContext(attributes: attributes), environment: environment)
  }
}

extension OFREPProvider: ObservableFlagProvider {
  /// Returns the answers of this moment, for the user of this moment.
  public func snapshot() -> any ProviderSnapshot { client.snapshot }

  /// Calls a closure after every change, until the subscription ends.
  public func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    client.content.subscribe(onChange)
  }
}

extension OFREPProvider: UserAuthenticator {
  /// Drops the answers for another user, and asks for those of this one; it does not wait for them.
  public func setUser(_ user: FlagUser?) { client.updateContext { $0.user = user } }
}

extension OFREPProvider: FlagContextUpdating {
  /// What the service is told that does not depend on the user.
  public var attributes: [String: FlagValue] { client.content.current.sync.context.attributes }

  /// Sets some attributes and removes others, and asks for the answers that they change; it does not wait for them.
  public func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    client.updateContext { context in
      for name in names { context.attributes[name] = nil }
      context.attributes.merge(values) { $1 }
    }
  }

  /// Sets what identifies a visitor, and asks for the answers that this changes.
  public func setAnonymousID(_ id: String?) { client.updateContext { $0.anonymousID = id } }
}

extension OFREPProvider: StatusReportingFlagProvider {
  /// How far the provider has got at this moment.
  public var providerStatus: ProviderStatus { client.status }
}

extension OFREPProvider: RefreshableFlagProvider {
  /// Asks for all answers, whatever their tag, and waits for the end of that.
  ///
  /// - Throws: Why there are no new ones; those that were there stay in use.
  public func refresh() async throws(FlagError) { try await client.refresh() }
}

extension OFREPProvider {
  /// Asks now, and does not wait: for an app that has come to the foreground.
  ///
  /// A wait that the service has asked for by `Retry-After` is not cut short.
  public func becomeActive() { client.becomeActive() }

  /// Serves the newest answers, where values were to stay for a session.
  public func activate() { client.activate() }

  /// Returns when what has been answered by now is kept.
  package func waitForWrites() async { await client.waitForWrites() }
}

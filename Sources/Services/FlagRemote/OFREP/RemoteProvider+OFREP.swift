public import FlagDomain
public import FlagFoundation
import FlagHTTP
@_exported public import FlagServices

extension RemoteProvider {
  /// Creates a provider of a service that speaks the OpenFeature Remote Evaluation Protocol (OFREP 0.3.0).
  ///
  /// ```swift
  /// try RemoteProvider(ofrep: url, options: options)
  /// ```
  ///
  /// The service evaluates all flags for the current user at once. It receives the context, except for the attributes
  /// that the options name as private. With a cache, the last answers for a user are served at the next start.
  ///
  /// It never stops retrying: 401 and 403 are retried after 5 minutes, 429 and 503 as `Retry-After` says, others by
  /// backoff with full jitter from 1 s to 5 min.
  ///
  /// - Parameters:
  ///   - url: The address to which the protocol's paths are added.
  ///   - name: The provider's name.
  ///   - attributes: The attributes that the service receives besides the user, and besides those of the client.
  ///   - options: The options for requests, updates and caching.
  /// - Throws: A `FlagError` if the address is not allowed, or the bundled answers cannot be served.
  public convenience init(
    ofrep url: URL, name: String = "OFREP", attributes: [String: FlagValue] = [:],
    options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      ofrep: url, name: name, attributes: attributes, options: options,
      environment: ServiceEnvironment(options.certificates))
  }

  /// Creates a provider of the OFREP service that the environment variables name.
  ///
  /// - Throws: As ``init(ofrep:name:attributes:options:)`` does.
  public convenience init(_ settings: OFREPSettings, name: String = "OFREP") throws(FlagError) {
    try self.init(ofrep: settings.endpoint, name: name, options: settings.options)
  }

  package convenience init(
    ofrep url: URL, name: String = "OFREP", attributes: [String: FlagValue] = [:],
    options: ServiceOptions = ServiceOptions(), environment: ServiceEnvironment
  ) throws(FlagError) {
    let source = OFREPSource(
      connection: try ServiceConnection(url, options, environment), privateAttributes: options.privateAttributes)
    self.init(
      SourceClient(
        source, name: name, options: options.following(sourcesExpire: true), bundled: try options.bundled(for: source),
        context: EvaluationContext(attributes: attributes), environment: environment.following))
  }
}

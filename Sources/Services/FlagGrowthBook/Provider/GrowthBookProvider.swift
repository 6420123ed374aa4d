public import FlagDomain
public import FlagFoundation
import FlagHTTP
public import FlagProviders
public import FlagRemote

/// A provider of GrowthBook's features, which it evaluates itself.
///
/// ```swift
/// try GrowthBookProvider(clientKey: "sdk-abc123")
/// try GrowthBookProvider(contentsOf: file)
/// ```
///
/// With a client key, it requests `{host}/api/features/{clientKey}`, with the tag of the last answer, and follows the
/// events of `{host}/sub/{clientKey}` if answers offer them. No users or attributes leave the process.
public typealias GrowthBookProvider = DocumentProvider<GrowthBookFormat>

extension DocumentProvider where Format == GrowthBookFormat {
  /// Creates a provider of the features of an SDK connection.
  ///
  /// - Parameters:
  ///   - clientKey: The client key of the SDK connection.
  ///   - host: The address of GrowthBook's API, CDN or proxy; nil for GrowthBook's own CDN.
  ///   - format: The format, with the key of encrypted features, and the store of sticky buckets.
  ///   - options: The options for requests, updates and caching.
  /// - Throws: A `FlagError` if the address is not allowed, or the bundled document cannot be served.
  public convenience init(
    clientKey: String, host: URL? = nil, format: GrowthBookFormat = .growthBook,
    options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(clientKey: clientKey, host: host, format: format, options: options, environment: nil)
  }

  package convenience init(
    clientKey: String, host: URL? = nil, format: GrowthBookFormat = .growthBook,
    options: ServiceOptions = ServiceOptions(), environment: ServiceEnvironment?
  ) throws(FlagError) {
    guard !clientKey.isEmpty, let host = host ?? URL(string: "https://cdn.growthbook.io") else {
      throw FlagError(.providerFatal, "expected the client key of an SDK connection, found none")
    }
    let store = try HTTPDefinitionStore(
      host.appending(path: "api/features").appending(component: clientKey),
      events: host.appending(path: "sub").appending(component: clientKey), offeredBy: (.sseSupport, "enabled"),
      format: format, options: options, environment: environment)
    self.init(following: store, name: "GrowthBook")
  }
}

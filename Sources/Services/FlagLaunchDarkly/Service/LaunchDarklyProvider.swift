public import FlagDomain
public import FlagProviders
public import FlagRemote
@_exported public import FlagServices

/// A provider that evaluates LaunchDarkly's flags in this process: for servers.
///
/// ```swift
/// try LaunchDarklyProvider(sdkKey: key)
/// try LaunchDarklyProvider(contentsOf: file)
/// ```
public typealias LaunchDarklyProvider = DocumentProvider<LaunchDarklyFormat>

extension DocumentProvider where Format == LaunchDarklyFormat {
  /// Creates a provider of the flags and segments of an environment, which are requested, and followed by a stream.
  ///
  /// No user leaves the process. While the stream is open, it is the source: of a part that comes in several versions,
  /// the latest one counts. While it is not, the environment is polled.
  ///
  /// - Parameters:
  ///   - key: The SDK key of the environment.
  ///   - name: The provider's name.
  ///   - addresses: LaunchDarkly's addresses, or those of a relay.
  ///   - options: The options for requests, updates and caching; credentials in them replace the key.
  /// - Throws: A `FlagError` if an address is not allowed, or the bundled document cannot be served.
  public convenience init(
    sdkKey key: String, name: String = "LaunchDarkly", at addresses: LaunchDarklyAddresses = .server,
    options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    self.init(following: try HTTPDefinitionStore(sdkKey: key, at: addresses, options: options), name: name)
  }
}

extension HTTPDefinitionStore {
  /// Creates a store of the flags and segments of an environment of LaunchDarkly.
  ///
  /// - Parameters:
  ///   - key: The SDK key of the environment.
  ///   - addresses: LaunchDarkly's addresses, or those of a relay.
  ///   - options: The options for requests, updates and caching; credentials in them replace the key.
  /// - Throws: A `FlagError` if an address is not allowed, or the bundled document cannot be served.
  public convenience init(
    sdkKey key: String, at addresses: LaunchDarklyAddresses = .server, options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      sdkKey: key, at: addresses, options: options, environment: ServiceEnvironment(options.certificates))
  }

  package convenience init(
    sdkKey key: String, at addresses: LaunchDarklyAddresses, options: ServiceOptions = ServiceOptions(),
    environment: ServiceEnvironment
  ) throws(FlagError) {
    let source = ServerSource(try LaunchDarklyConnections(key: key, addresses, options, environment))
    try self.init(source, at: addresses.polling, options: options, environment: environment)
  }
}

extension RemoteProvider {
  /// Creates a provider of LaunchDarkly's answers for the current user: for apps.
  ///
  /// ```swift
  /// try RemoteProvider(launchDarklyMobileKey: key)
  /// ```
  ///
  /// The service receives the user and its contexts, except for the attributes that the options name as private. A
  /// visitor needs an anonymous id.
  ///
  /// - Parameters:
  ///   - key: The mobile key of the environment.
  ///   - name: The provider's name.
  ///   - attributes: The attributes that the service receives besides the user; an object with a `key` is a context of
  ///     its own, such as the device.
  ///   - addresses: LaunchDarkly's addresses, or those of a relay.
  ///   - options: The options for requests, updates and caching; credentials in them replace the key.
  /// - Throws: A `FlagError` if an address is not allowed, or the bundled answers cannot be served.
  public convenience init(
    launchDarklyMobileKey key: String, name: String = "LaunchDarkly mobile", attributes: [String: FlagValue] = [:],
    at addresses: LaunchDarklyAddresses = .app, options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    try self.init(
      launchDarklyMobileKey: key, name: name, attributes: attributes, at: addresses, options: options,
      environment: ServiceEnvironment(options.certificates))
  }

  package convenience init(
    launchDarklyMobileKey key: String, name: String = "LaunchDarkly mobile", attributes: [String: FlagValue] = [:],
    at addresses: LaunchDarklyAddresses, options: ServiceOptions = ServiceOptions(), environment: ServiceEnvironment
  ) throws(FlagError) {
    let connections = try LaunchDarklyConnections(key: key, addresses, options, environment)
    let source = AppSource(connections, privateAttributes: options.privateAttributes)
    self.init(
      SourceClient(
        source, name: name, options: options.following(sourcesExpire: true), bundled: try options.bundled(for: source),
        context: EvaluationContext(attributes: attributes), environment: environment.following))
  }
}

public import FlagDomain

/// The composition root: it orders providers, and offers the ports that the rest of the app uses.
///
/// ```swift
/// let flags = try FeatureFlagClient(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) {
///   try InHouseProvider(contentsOf: file)
///   RemoteProvider(service)
/// }
/// let settings = SettingsModel(flags: flags.manager)
/// let signIn = SignInModel(authenticator: flags.authenticator)
/// ```
///
/// A flag's value is its override, else its computed value, else that of the first provider that has one, else its
/// fallback, else its default. Everything here may be used from any thread. The ports keep working when the client
/// itself is released.
public struct FeatureFlagClient: Sendable {
  /// The flags of all feature modules, and those that were registered since.
  public var catalogs: [FlagCatalog] { registered.catalogs }
  /// The port for registering flags at run time, such as those of a plug-in.
  public var registry: any FlagCatalogRegistry { registered }
  /// The port for setting the current user.
  public var authenticator: any UserAuthenticator { current }
  /// The port for changing the attributes that do not depend on the user.
  ///
  /// Providers of services receive them, too, such as one of OFREP, and the ids of visitors.
  public var context: any FlagContextUpdating { current }
  /// The port for setting and clearing overrides.
  public let overrides: any FlagOverriding
  /// The port for writing values into writable providers.
  public let writer: any FlagWriting
  let current: LiveManager
  let registered: RegisteredCatalogs
  private let launch: [any FixedFlagProvider]

  /// Creates a client.
  ///
  /// ```swift
  /// let flags = try FeatureFlagClient(
  ///   catalogs: [FeedFlags.catalog], configuration: .init { $0.reporter = reporter }
  /// ) { provider }
  /// ```
  ///
  /// - Parameters:
  ///   - catalogs: The flags of all feature modules.
  ///   - configuration: Everything that has a default.
  ///   - providers: The providers, in the order in which they are queried.
  /// - Throws: ``/FlagDomain/DuplicateFlagKeys`` if two flags share a key, a ``FeatureFlagClientError`` if two
  ///   providers share a name, a flag names a provider that is not there or the style of keys does not work, and any
  ///   error of `providers`.
  public init(
    catalogs: [FlagCatalog], configuration: Configuration,
    @FlagProvidersBuilder providers: () throws -> [any FlagProvider]
  ) throws {
    try DuplicateFlagKeys.check(catalogs)
    let flags = catalogs.flatMap(\.flags)
    let providers = try providers()
    try FeatureFlagClientError.checkNames(of: configuration.launch + providers)
    try FeatureFlagClientError.checkProviders(of: flags, among: providers)
    let (start, problem) = try FlagState.Content.starting(with: configuration, flags: flags)
    var content = start
    let failure = content.load(from: configuration.overrides)
    // Without a catalog, it may be that of a test or a tool, which knows no flags.
    let listed = flags.isEmpty || configuration.reporter == nil ? nil : ListedFlags(flags)
    let listeners = Listeners(
      reporter: configuration.reporter, listed: listed, exposures: configuration.exposures,
      onResolution: configuration.onResolution)
    current = LiveManager(content, providers: providers, listeners: listeners)
    registered = RegisteredCatalogs(catalogs, style: configuration.keys) { [weak current] keys, flags, revision in
      listed?.toggle(keys)
      current?.catalogsChanged(keys, flags, revision: revision)
    }
    launch = configuration.launch
    let stored = StoredOverrides(configuration.overrides, failure: failure)
    overrides = Overrider(
      flags: current, stored: stored, registered: registered,
      storesRedundant: configuration.storesRedundantOverrides)
    writer = ProviderWriter(flags: current, registered: registered)
    current.report([problem, failure].compactMap { $0 })
    if let problem, let ids = configuration.anonymousIDs {
      current.identifyVisitorLater(by: ids, after: problem, on: configuration.clock)
    }
    current.passContext()
    // A client without such flags keeps nothing of the start; one that no catalog has pins when it is first read.
    if flags.contains(where: { $0.traits.contains(.requiresRestart) }) { current.pinForRestart() }
    stored.follow(current)
    if configuration.reporter != nil { checkOverrides(of: flags) }
  }

  /// Creates a client from the most common settings; ``Configuration`` has the others.
  ///
  /// - Parameters:
  ///   - catalogs: The flags of all feature modules.
  ///   - attributes: The attributes for rules that do not depend on the user: `["version": version, "isDebug": true]`.
  ///   - overrides: The store of overrides; nil keeps overrides until the program ends.
  ///   - exposures: The receiver of exposures to experiments, or nil.
  ///   - providers: The providers, in the order in which they are queried.
  /// - Throws: As with a configuration.
  public init(
    catalogs: [FlagCatalog], attributes: [String: any FlagAttribute] = [:], overrides: (any FlagOverrideStore)? = nil,
    exposures: (any ExposureTracker)? = nil, @FlagProvidersBuilder providers: () throws -> [any FlagProvider]
  ) throws {
    let configuration = Configuration {
      $0.attributes = attributes
      $0.overrides = overrides
      $0.exposures = exposures
    }
    try self.init(catalogs: catalogs, configuration: configuration, providers: providers)
  }

  /// The manager of flags for the current user.
  public var manager: any FeatureFlagManager { current }

  /// The manager of flags for the current user whose reads Observation tracks: for SwiftUI.
  ///
  /// A view that reads a flag through it is updated when that flag changes.
  public var observedManager: any FeatureFlagManager & FlagInspecting { ObservingManager(flags: current) }

  /// The port for explaining values.
  public var inspector: any FlagInspecting { current }

  /// The port for observing changes.
  public var observer: any FlagObserving { current }

  /// The port for snapshots of all flags.
  public var snapshots: any FlagSnapshotting { current }

  /// Returns a manager for a given user: for servers, one per request.
  ///
  /// It is a snapshot: its reads are consistent with each other, even if flags change. It costs one allocation.
  ///
  /// A service that is asked for the current user's answers has none for others: a flag that no other provider knows
  /// then has the reason `ERROR`, and the error `USER_MISMATCH`. Servers evaluate definitions instead.
  public func manager(for user: FlagUser?) -> any FlagSnapshot { current.snapshot(for: user) }

  /// Returns a manager for a given user whose flags follow every change.
  ///
  /// Two of its reads may see different states. It resolves a flag at each read.
  public func followingManager(for user: FlagUser?) -> any FeatureFlagManager & FlagInspecting {
    PerUserManager(flags: current, user: user)
  }

  /// The names of the providers, in the order in which they are queried.
  public var providerNames: [String] { current.providers.map(\.name) }

  /// Replaces the providers, in one change.
  ///
  /// The current context of providers that ask a service for it is set before the call returns.
  ///
  /// - Throws: A ``FeatureFlagClientError`` if two providers share a name, or a flag names one that is not there, and
  ///   any error of the closure. Then the providers are unchanged.
  public func setProviders(@FlagProvidersBuilder _ providers: () throws -> [any FlagProvider]) throws {
    let providers = try providers()
    try FeatureFlagClientError.checkNames(of: launch + providers)
    try FeatureFlagClientError.checkProviders(of: catalogs.flatMap(\.flags), among: providers)
    current.follow(providers)
    current.passContext()
  }

  /// Refreshes all providers concurrently, and waits for all of them.
  ///
  /// - Returns: The errors by the names of the providers that failed; empty if none did.
  @discardableResult
  public func refresh() async -> [String: FlagError] {
    await withTaskGroup(of: (String, FlagError)?.self) { group in
      for provider in current.providers {
        group.addTask {
          do throws(FlagError) {
            try await provider.refresh()
            return nil
          } catch {
            return (provider.name, error)
          }
        }
      }
      return await group.reduce(into: [:]) { failures, failure in
        if let (name, error) = failure { failures[name] = error }
      }
    }
  }

  /// Replaces a flag's default: for apps that share a feature module but want different defaults.
  public func setDefault<F: FeatureFlag>(_ value: F.Value, for flag: F) { changeDefault(of: flag, to: value) }

  /// Restores the default of a flag's declaration.
  public func resetDefault(of flag: some FeatureFlag) { changeDefault(of: flag, to: nil) }

  /// Returns the value of a flag that is used if there is no other.
  public func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { current.defaultValue(of: flag) }

  private func changeDefault(of flag: some FeatureFlag, to value: (any Sendable)?) {
    current.change { content in
      content.defaults[flag.key] = value
      return FlagChange(keys: ChangedKeys([flag.key]), causes: [.defaultValue])
    }
  }
}

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
/// default. Everything here may be used from any thread. The ports keep working when the client itself is released.
public struct FeatureFlagClient: Sendable {
  /// The flags of all feature modules, and those that were registered since.
  public var catalogs: [FlagCatalog] { registered.catalogs }
  /// Registers flags while the program runs, as those of a plug-in.
  public var registry: any FlagCatalogRegistry { registered }
  /// Sets the current user.
  public var authenticator: any UserAuthenticator { users }
  /// Changes the attributes that do not depend on the user.
  public let context: any FlagContextUpdating
  /// Sets and clears overrides.
  public let overrides: any FlagOverriding
  /// Writes values into writable providers.
  public let writer: any FlagWriting
  let current: LiveManager
  let registered: RegisteredCatalogs
  private let users: Authenticator
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
  ///   - providers: The providers, first asked first.
  /// - Throws: ``/FlagDomain/DuplicateFlagKeys`` if two flags share a key, a ``FeatureFlagClientError`` if two
  ///   providers share a name or the style of keys does not work, and any error of `providers`.
  public init(
    catalogs: [FlagCatalog], configuration: Configuration,
    @FlagProvidersBuilder providers: () throws -> [any FlagProvider]
  ) throws {
    try DuplicateFlagKeys.check(catalogs)
    let flags = catalogs.flatMap(\.flags)
    let providers = try providers()
    try FeatureFlagClientError.checkNames(of: configuration.launch + providers)
    let store = configuration.overrides ?? ForgetfulStore()
    let (start, problem) = try FlagState.Content.starting(with: configuration, flags: flags)
    var content = start
    let failure = content.load(from: store)
    current = LiveManager(content, providers: providers, listeners: Listeners(configuration))
    registered = RegisteredCatalogs(catalogs, style: configuration.keys) { [weak current] keys in
      current?.change { _ in FlagChange(keys: ChangedKeys(keys), causes: [.catalogs]) }
    }
    launch = configuration.launch
    users = Authenticator(current)
    context = ContextUpdater(current)
    let stored = StoredOverrides(store, failure: failure)
    overrides = Overrider(current, stored, registered)
    writer = ProviderWriter(current, registered)
    current.report([problem, failure].compactMap { $0 })
    if problem != nil, let ids = configuration.anonymousIDs { current.identifyVisitorsLater(by: ids) }
    stored.follow(current)
    if configuration.reporter != nil { checkOverrides(of: flags) }
  }

  /// Creates a client from what apps say most often; ``Configuration`` has the rest.
  ///
  /// - Parameters:
  ///   - catalogs: The flags of all feature modules.
  ///   - attributes: What rules may ask for that does not depend on the user: `["version": version, "isDebug": true]`.
  ///   - overrides: Keeps overrides; nil keeps them until the program ends.
  ///   - exposures: Receives who saw which value of an experiment; nil for nobody.
  ///   - providers: The providers, first asked first.
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
}

extension FeatureFlagClient {
  /// Reads flags for the current user.
  public var manager: any FeatureFlagManager { current }

  /// Reads and explains flags for the current user, and lets Observation track the reads: for SwiftUI.
  ///
  /// A view that reads a flag through it is updated when that flag changes.
  public var trackedManager: any FeatureFlagManager & FlagInspecting { ObservingManager(current) }

  /// Explains values.
  public var inspector: any FlagInspecting { current }

  /// Reports changes.
  public var observer: any FlagObserving { current }

  /// Takes snapshots of all flags.
  public var snapshots: any FlagSnapshotting { current }

  /// Returns a manager for a given user: for servers, one per request.
  ///
  /// It is a snapshot: its reads agree with each other, whatever changes meanwhile. It costs one allocation.
  public func manager(for user: FlagUser?) -> any FlagSnapshot { current.snapshot(for: user) }

  /// Returns a manager for a given user whose flags follow every change.
  ///
  /// Two of its reads may be of two states. It resolves a flag at each read.
  public func followingManager(for user: FlagUser?) -> any FeatureFlagManager & FlagInspecting {
    PerUserManager(current, for: user)
  }
}

extension FeatureFlagClient {
  /// The names of the providers, first asked first.
  public var providerNames: [String] { current.providers.map(\.name) }

  /// Replaces the providers, in one change.
  ///
  /// Providers that conform to `UserAuthenticator` are told the current user before the call returns.
  ///
  /// - Throws: A ``FeatureFlagClientError`` if two providers share a name, and any error of the closure. Then the
  ///   providers are unchanged.
  public func setProviders(@FlagProvidersBuilder _ providers: () throws -> [any FlagProvider]) throws {
    let providers = try providers()
    try FeatureFlagClientError.checkNames(of: launch + providers)
    users.replaceProviders(with: providers)
  }

  /// Refreshes all refreshable providers concurrently, and waits for all of them.
  ///
  /// - Returns: The errors by the names of the providers that failed; empty if none did.
  @discardableResult
  public func refresh() async -> [String: FlagError] {
    await withTaskGroup(of: (String, FlagError)?.self) { group in
      for provider in current.providers.compactMap({ $0 as? any RefreshableFlagProvider }) {
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
}

extension FeatureFlagClient {
  /// Replaces a flag's default: for apps that share a feature module but want different defaults.
  public func setDefault<F: FeatureFlag>(_ value: F.Value, for flag: F) { changeDefault(of: flag, to: value) }

  /// Restores the default of a flag's declaration.
  public func resetDefault(of flag: some FeatureFlag) { changeDefault(of: flag, to: nil) }

  /// Returns the value when nothing else gives one.
  public func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { current.defaultValue(of: flag) }

  private func changeDefault(of flag: some FeatureFlag, to value: (any Sendable)?) {
    current.change { content in
      content.defaults[flag.key] = value
      return FlagChange(keys: ChangedKeys([flag.key]), causes: [.defaultValue])
    }
  }
}

public import FlagDomain

/// The one place that knows where values come from: it orders providers, and hands back ports.
///
/// ```swift
/// let flags = try FlagComposition(catalogs: [SettingsFlags.catalog, FeedFlags.catalog]) {
///   try InHouseProvider(contentsOf: file)
///   RemoteProvider(service)
/// }
/// let settings = SettingsModel(flags: flags.manager)
/// let signIn = SignInModel(authenticator: flags.authenticator)
/// ```
///
/// A flag's value is its override, else its computed value, else that of the first provider that has one, else its
/// default. Everything here may be used from any thread. The ports work for as long as someone holds them, the
/// composition itself need not be kept.
public struct FlagComposition: Sendable {
  let live: LiveFlags

  /// Every flag that the composition was told of.
  public let catalogs: [FlagCatalog]

  /// Creates a composition.
  ///
  /// - Parameters:
  ///   - catalogs: The flags of all feature modules.
  ///   - keys: How providers call the flags, where that is not their keys; flags with a key of their own keep it.
  ///   - attributes: What rules may ask for that does not depend on the user, such as the app's version.
  ///   - overrides: Keeps overrides; nil keeps them until the program ends.
  ///   - launch: Providers of overrides that hold for this run, such as launch arguments and the environment.
  ///   - reporter: Hears of what fails; nil for nobody.
  ///   - providers: The providers, first asked first.
  /// - Throws: ``FlagDomain/DuplicateFlagKeys`` where two flags share a key, and what making the providers throws.
  public init(
    catalogs: [FlagCatalog],
    keys: KeyStyle? = nil,
    attributes: [String: FlagValue] = [:],
    overrides: (any FlagOverrideStore)? = nil,
    launch: [any FlagProvider] = [],
    reporter: (any FlagErrorReporter)? = nil,
    @FlagProvidersBuilder providers: () throws -> [any FlagProvider]
  ) throws {
    try DuplicateFlagKeys.check(catalogs)
    self.catalogs = catalogs
    let providers = try providers()
    var content = FlagState.Content(
      context: EvaluationContext(attributes: attributes), sources: providers.map(FlagState.Source.init))
    content.launch = launch.map { FlagState.Source($0) }
    content.add(catalogs, keys: keys)
    let store = overrides ?? ForgetfulStore()
    let problem = content.load(from: store)
    live = LiveFlags(providers: providers, store: store, content: content, reporter: reporter)
    if let problem { reporter?.report(problem) }
  }
}

extension FlagState.Source {
  fileprivate convenience init(_ provider: any FlagProvider) {
    self.init(name: provider.name, snapshot: provider.snapshot())
  }
}

extension FlagState.Content {
  fileprivate mutating func add(_ catalogs: [FlagCatalog], keys style: KeyStyle?) {
    for flag in catalogs.flatMap(\.flags) {
      if flag.metadata.requiresRestart { restartKeys.insert(flag.key) }
      if let style, let key = style.key(of: flag.metadata.path) { providerKeys[flag.key] = key }
    }
  }

  /// Loads overrides, and returns what kept them from being read.
  fileprivate mutating func load(from store: any FlagOverrideStore) -> FlagError? {
    do throws(FlagError) {
      let stored = try store.load()
      overrides = Overrides(stored: stored, atStart: stored)
      return nil
    } catch {
      return error
    }
  }
}

extension KeyStyle {
  /// Returns the key that a path of names has in this style; nil for an empty path or a key that is not valid.
  fileprivate func key(of path: [String]) -> FlagKey? {
    path.isEmpty ? nil : FlagKey(name(of: path.map(component)))
  }
}

/// Keeps nothing: overrides then last as long as the program.
private struct ForgetfulStore: FlagOverrideStore {
  func load() -> [FlagKey: FlagValue] { [:] }
  func write(_ values: [FlagKey: FlagValue?]) {}
}

extension FlagComposition {
  /// Reads flags for whoever is signed in.
  public var manager: any FeatureFlagManager { live }

  /// Reads flags for whoever is signed in, and lets Observation track it: for SwiftUI.
  ///
  /// A view that reads a flag through it is drawn again when that flag changes.
  public var trackedManager: any FeatureFlagManager { TrackedFlags(live: live) }

  /// Takes note of who is signed in.
  public var authenticator: any UserAuthenticator { live }

  /// Explains values.
  public var inspector: any FlagInspecting { live }

  /// Sets values over everything else.
  public var overrides: any FlagOverriding { live }

  /// Tells of changes.
  public var observer: any FlagObserving { live }

  /// Writes values into the providers that can be written to.
  public var writer: any FlagWriting { live }

  /// Takes consistent cuts.
  public var snapshots: any FlagSnapshotting { live }

  /// Returns a manager that reads for one user, whoever is signed in: for servers, one per request.
  ///
  /// It follows changes of providers and overrides, and costs one allocation.
  public func manager(for user: User?) -> any FeatureFlagManager & FlagInspecting { UserFlags(live: live, user: user) }
}

/// Lists providers, one a line.
@resultBuilder
public enum FlagProvidersBuilder: Sendable {
  /// Takes a provider.
  public static func buildExpression(_ provider: any FlagProvider) -> [any FlagProvider] { [provider] }
  /// Takes a list of providers.
  public static func buildExpression(_ providers: [any FlagProvider]) -> [any FlagProvider] { providers }
  /// Joins the lines.
  public static func buildBlock(_ providers: [any FlagProvider]...) -> [any FlagProvider] { Array(providers.joined()) }
  /// Joins the rounds of a loop.
  public static func buildArray(_ providers: [[any FlagProvider]]) -> [any FlagProvider] { Array(providers.joined()) }
  /// Takes the lines of a condition, if it holds.
  public static func buildOptional(_ providers: [any FlagProvider]?) -> [any FlagProvider] { providers ?? [] }
  /// Takes the lines of one branch.
  public static func buildEither(first providers: [any FlagProvider]) -> [any FlagProvider] { providers }
  /// Takes the lines of the other branch.
  public static func buildEither(second providers: [any FlagProvider]) -> [any FlagProvider] { providers }
}

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
  ///   - reporter: Hears of what fails; nil for nobody.
  ///   - providers: The providers, first asked first.
  /// - Throws: ``FlagDomain/DuplicateFlagKeys`` where two flags share a key, and what making the providers throws.
  public init(
    catalogs: [FlagCatalog],
    keys: KeyStyle? = nil,
    attributes: [String: FlagValue] = [:],
    reporter: (any FlagErrorReporter)? = nil,
    @FlagProvidersBuilder providers: () throws -> [any FlagProvider]
  ) throws {
    try DuplicateFlagKeys.check(catalogs)
    self.catalogs = catalogs
    let providers = try providers()
    let content = FlagState.Content(
      context: EvaluationContext(attributes: attributes),
      sources: providers.map { FlagState.Source(name: $0.name, snapshot: $0.snapshot()) })
    live = LiveFlags(providers: providers, content: content, reporter: reporter)
  }
}

extension FlagComposition {
  /// Reads flags for whoever is signed in.
  public var manager: any FeatureFlagManager { live }

  /// Takes note of who is signed in.
  public var authenticator: any UserAuthenticator { live }

  /// Explains values.
  public var inspector: any FlagInspecting { live }

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

/// The flags of one feature, each read as a property.
///
/// The `@FlagSet` macro generates a conformance from one line per flag. By hand, the same set is
///
/// ```swift
/// struct FeedFlags: FlagSet {
///   static let pageSize = Flag("feed.page-size", default: 20, "Posts on one page of the feed.")
///   static let catalog = FlagCatalog("feed", "The feed.") { pageSize }
///
///   private let manager: any FeatureFlagManager
///   init(_ manager: any FeatureFlagManager) { self.manager = manager }
///
///   var pageSize: Int { manager.variation(for: Self.pageSize) }
/// }
/// ```
public protocol FlagSet: Sendable {
  /// Every flag of the set, in groups, in the order of declaration.
  static var catalog: FlagCatalog { get }

  /// Creates a set that reads its flags from a manager.
  init(_ manager: any FeatureFlagManager)
}

extension FlagSet {
  /// Every flag of the set and of the groups inside it, in the order of declaration.
  public static var allFlags: [any FeatureFlag] { catalog.flags }

  /// Writes the values of a payload that belong to flags of the set, all of them or none.
  ///
  /// A flag that the payload does not name keeps its value; an explicit null is written as one.
  ///
  /// - Parameters:
  ///   - provider: The provider that stores the values.
  ///   - payload: Values by the names of keys, as the provider knows them.
  ///   - keys: The style of the provider's keys, if the client has one; nil for the flags' own keys.
  /// - Returns: The values that belong to no flag of the set.
  /// - Throws: The provider's error, or that of a style that produces an invalid key; then nothing has changed.
  @discardableResult
  public static func update(
    _ provider: some WritableFlagProvider, with payload: [String: FlagValue], keys: KeyStyle? = nil
  ) throws(FlagError) -> [String: FlagValue] {
    try catalog.update(provider, with: payload, keys: keys)
  }
}

extension EnumeratedFlag {
  /// Stores the values of the enum's flags in a provider, all of them or none, as a set does.
  @discardableResult
  public static func update(
    _ provider: some WritableFlagProvider, with payload: [String: FlagValue], keys: KeyStyle? = nil
  ) throws(FlagError) -> [String: FlagValue] {
    try catalog.update(provider, with: payload, keys: keys)
  }
}

extension FlagCatalog {
  fileprivate func update(
    _ provider: some WritableFlagProvider, with payload: [String: FlagValue], keys: KeyStyle?
  ) throws(FlagError) -> [String: FlagValue] {
    var unknown = payload
    var values: [FlagKey: FlagValue?] = [:]
    for flag in flags {
      let key = try keys?.providerKey(of: flag) ?? flag.key
      if let value = unknown.removeValue(forKey: key.name) { values[key] = .some(value) }
    }
    try provider.write(values)
    return unknown
  }
}

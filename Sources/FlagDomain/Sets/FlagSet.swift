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
}

public import FlagDomain

/// The flags of the feed.
public struct FeedFlags: FlagSet {
  /// How many posts a page holds.
  public static let pageSize = Flag("feed.page-size", default: 20, "Posts on one page.")
  /// How posts are ordered.
  public static let ranking = Flag("feed-ranking", default: Ranking.chronological, "How posts are ordered.")
  /// How posts are laid out.
  public static let layout = Flag("feed.layout", default: FeedLayout(), "How posts are laid out.")

  /// Every flag of the feed.
  public static let catalog = FlagCatalog("feed", "The feed.") {
    pageSize
    ranking
    layout
  }

  private let manager: any FeatureFlagManager

  /// Creates the set over a manager.
  public init(_ manager: any FeatureFlagManager) { self.manager = manager }
}

extension FeedFlags {
  /// How many posts a page holds.
  public var pageSize: Int { manager.variation(for: Self.pageSize) }
  /// How posts are ordered.
  public var ranking: Ranking { manager.variation(for: Self.ranking) }
  /// How posts are laid out.
  public var layout: FeedLayout { manager.variation(for: Self.layout) }
}

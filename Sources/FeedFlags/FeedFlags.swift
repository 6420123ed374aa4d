public import FlagDomain
import FlagMacros

/// The flags of the feed, declared by macro.
@FlagSet("feed", "The feed.")
public struct FeedFlags {
  /// How many posts a page holds.
  @Flag("Posts on one page.") public var pageSize = 20
  /// How posts are ordered.
  @Flag(key: "feed-ranking", "How posts are ordered.") public var ranking: Ranking = .chronological
  /// How posts are laid out.
  @Flag("How posts are laid out.") public var layout = FeedLayout()
}

/// How the posts of the feed are ordered.
public enum Ranking: String, CaseIterable, Codable, Sendable {
  /// The newest first.
  case chronological
  /// The most liked first.
  case popular
}

public import FlagDomain
import FlagMacros

/// The flags of the feed, declared by macro.
@FlagSet("feed", "The feed.")
public struct FeedFlags {
  /// The number of posts on a page.
  @Flag("Posts on one page.") public var pageSize = 20
  /// The order of posts.
  @Flag(key: "feed-ranking", "How posts are ordered.") public var ranking: Ranking = .chronological
  /// The layout of posts.
  @Flag("How posts are laid out.") public var layout = FeedLayout()
}

/// The order of the posts of the feed.
public enum Ranking: String, CaseIterable, Codable, Sendable {
  /// Newest first.
  case chronological
  /// Most liked first.
  case popular
}

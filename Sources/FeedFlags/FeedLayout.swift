/// The layout of the feed's posts.
public struct FeedLayout: Codable, Hashable, Sendable {
  /// The number of posts side by side, at least one.
  public var columns: Int
  /// Whether a post shows its number of likes.
  public var showsLikes: Bool

  /// Creates a layout.
  public init(columns: Int = 1, showsLikes: Bool = true) {
    self.columns = columns
    self.showsLikes = showsLikes
  }
}

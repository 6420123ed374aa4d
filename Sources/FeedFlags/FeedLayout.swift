/// How the feed lays its posts out.
public struct FeedLayout: Codable, Hashable, Sendable {
  /// How many posts are side by side, at least one.
  public var columns: Int
  /// Whether a post shows how often it was liked.
  public var showsLikes: Bool

  /// Creates a layout.
  public init(columns: Int = 1, showsLikes: Bool = true) {
    self.columns = columns
    self.showsLikes = showsLikes
  }
}

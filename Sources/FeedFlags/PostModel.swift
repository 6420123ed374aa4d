public import FlagDomain

/// One post of the feed, whose reading is what the feed's experiments measure.
public struct PostModel: Sendable {
  private let post: Post
  private let conversions: any ConversionTracker

  /// Creates a model that tracks what the user does.
  public init(_ post: Post, conversions: any ConversionTracker) { (self.post, self.conversions) = (post, conversions) }

  /// Opens the post, which counts as reading it, and returns its text.
  public func open() -> String {
    conversions.track("read")
    return post.text
  }
}

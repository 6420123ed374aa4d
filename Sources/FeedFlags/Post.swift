/// A post of the feed.
public struct Post: Hashable, Sendable {
  /// The text of the post.
  public let text: String
  /// The number of likes.
  public let likes: Int

  /// Creates a post.
  public init(_ text: String, likes: Int = 0) {
    self.text = text
    self.likes = likes
  }

  /// A few posts for previews and examples, newest first.
  public static let samples = [
    Post("Rain again", likes: 3), Post("A map of every bakery", likes: 41), Post("First day at work", likes: 17),
    Post("Lost: one glove"), Post("How we make bread", likes: 28),
  ]
}

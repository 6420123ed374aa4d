public import FlagDomain

/// The content of the feed, which depends on the current values of its flags.
public struct FeedModel: Sendable {
  private let posts: [Post]
  private let flags: FeedFlags

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - posts: The posts, newest first.
  ///   - manager: The manager to read the feed's flags from.
  public init(posts: [Post] = Post.samples, flags manager: any FeatureFlagManager) {
    self.posts = posts
    flags = FeedFlags(manager)
  }

  /// The first page, line by line.
  public var screen: [String] {
    let layout = flags.layout
    let page = ordered.prefix(max(flags.pageSize, 0))
    let texts = page.map { text(of: $0, in: layout) }
    return ["Feed"] + rows(of: texts, columns: max(layout.columns, 1)) + footer(after: page.count)
  }

  private var ordered: [Post] {
    switch flags.ranking {
    case .chronological: posts
    case .popular: posts.sorted { $0.likes > $1.likes }
    }
  }

  private func text(of post: Post, in layout: FeedLayout) -> String {
    layout.showsLikes ? "\(post.text) (\(post.likes))" : post.text
  }

  private func rows(of texts: [String], columns: Int) -> [String] {
    stride(from: 0, to: texts.count, by: columns).map { texts[$0...].prefix(columns).joined(separator: " | ") }
  }

  private func footer(after count: Int) -> [String] {
    count < posts.count ? ["\(posts.count - count) more"] : []
  }
}

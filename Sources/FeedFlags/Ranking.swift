/// How the posts of the feed are ordered.
public enum Ranking: String, CaseIterable, Codable, Sendable {
  /// The newest first.
  case chronological
  /// The most liked first.
  case popular
}

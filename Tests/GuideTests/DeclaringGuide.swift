import FlagComposition
public import FlagDomain
import FlagMacros
import Testing

/// How results are ordered.
public enum SearchRanking: String, CaseIterable, Codable, Sendable {
  /// The best first.
  case best
  /// The newest first.
  case newest
}

/// The guide's set.
@FlagSet("search", "The search screen.")
public struct SearchFlags {
  /// How many results a page holds.
  @Flag("How many results a page holds.") public var pageSize = 20
  /// A line over the results.
  @Flag("A line over the results; nil for none.") public var hint: String?
  /// How results are ordered.
  @Flag(key: "search-ranking", "How results are ordered.") public var ranking: SearchRanking = .best
  /// What is shown beside results.
  @FlagGroup("What is shown beside results.") public var previews: PreviewFlags
}

/// The guide's group.
@FlagSet("previews", "Previews.")
public struct PreviewFlags {
  /// Whether videos play at once.
  @Flag("Plays videos at once.") public var autoPlay = false
}

@Suite("Guide to declaring")
struct DeclaringGuide {
  @Test("What the guide shows holds")
  func holds() throws {
    let flags = try FeatureFlagClient(catalogs: [SearchFlags.catalog]) {}
    let search = SearchFlags(flags.manager)
    #expect(search.pageSize == 20)
    #expect(search.previews.autoPlay == false)
    #expect(search.$pageSize.key == "search.page-size")
    #expect(flags.inspector.resolution(of: search.$pageSize).reason == .default)
    #expect(SearchFlags.flags.previews.autoPlay.key == "search.previews.auto-play")
    #expect(
      SearchFlags.allFlags.map(\.key) == [
        "search.page-size", "search.hint", "search-ranking", "search.previews.auto-play",
      ])
    #expect(try search.$ranking.choices == ["best", "newest"])

    let limit = Flag("search.limit", default: 100, "How many results there are at most.")
    #expect(flags.manager.variation(for: limit) == 100)
  }
}

import FlagComposition
public import FlagDomain
import FlagMacros
import Testing

/// The order of results.
public enum SearchRanking: String, CaseIterable, Codable, Sendable {
  /// The best first.
  case best
  /// The newest first.
  case newest
}

/// The guide's set.
@FlagSet("search", "The search screen.")
public struct SearchFlags {
  /// The number of results on a page.
  @Flag("The number of results on a page.") public var pageSize = 20
  /// A line over the results.
  @Flag("A line over the results; nil for none.") public var hint: String?
  /// The order of results.
  @Flag(key: "search-ranking", "The order of results.") public var ranking: SearchRanking = .best
  /// The content beside results.
  @FlagGroup("The content beside results.") public var previews: PreviewFlags
}

/// The guide's group.
@FlagSet("previews", "Previews.")
public struct PreviewFlags {
  /// Whether videos start automatically.
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
    #expect(AnswerFlags(FixedFlags { $0.set(AnswerFlags.flags.experiment, to: true) }).quickAnswers)
  }
}

/// The guide's set with a flag that follows from others.
@FlagSet("answers", "Answers beside the search field.")
struct AnswerFlags {
  @Flag("The team's own choice; nil leaves it to the experiment.") var own: Bool?
  @Flag("The vendor's experiment.") var experiment = false

  var quickAnswers: Bool {
    @Derived("Shows quick answers.") get { own ?? experiment }
  }
}

/// The guide's set by hand.
struct PlayerFlags: FlagSet {
  static let speed = Flag("player.speed", default: 1.0, "The speed of playback.")
  static let captions = Flag(
    "player.captions", default: false, FlagMetadata("Shows captions.", requiresRestart: true, owner: "video"))

  static let catalog = FlagCatalog("player", "The player.") {
    speed
    captions
  }

  private let manager: any FeatureFlagManager
  init(_ manager: any FeatureFlagManager) { self.manager = manager }

  var speed: Double { manager.variation(for: Self.speed) }
  var captions: Bool { manager.variation(for: Self.captions) }
}

extension DeclaringGuide {
  @Test("A set by hand, and a flag without a set, are read like others")
  func byHand() throws {
    let flags = try FeatureFlagClient(catalogs: [PlayerFlags.catalog]) {}
    #expect(PlayerFlags(flags.manager).speed == 1 && !PlayerFlags(flags.manager).captions)
    #expect(PlayerFlags.catalog.flags.map(\.key) == ["player.speed", "player.captions"])
    #expect(flags.bugReport.contains("player.speed"))

    let limit = Flag("search.limit", default: 100, "How many results there are at most.")
    #expect(flags.manager.variation(for: limit) == 100)
  }
}

enum Shortcut: String, CaseIterable, EnumeratedFlag {
  case newPost, quickSearch

  static let keyStyle = KeyStyle(prefix: "shortcuts")
  var defaultValue: Bool { self == .newPost }
  var metadata: FlagMetadata { FlagMetadata("Shows the shortcut.", displayName: title, owner: "home") }
}

extension DeclaringGuide {
  @Test("Cases of an enum are flags")
  func readsCases() throws {
    let flags = try FeatureFlagClient(catalogs: [Shortcut.catalog]) {}
    #expect(flags.manager.variation(for: Shortcut.newPost))
    #expect(Shortcut.catalog.flags.map(\.key) == ["shortcuts.new-post", "shortcuts.quick-search"])
  }
}

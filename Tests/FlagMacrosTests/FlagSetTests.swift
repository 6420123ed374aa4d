import FlagDomain
import FlagMacros
import Testing

@Suite("Sets of flags")
struct FlagSetTests {
  @Test("The catalog has everything in the order of declaration, with keys and names from the properties")
  func catalog() {
    #expect(
      FeedFlags.catalog.outline == [
        "feed | Feed | feed | The feed.",
        "  feed.page-size = 20 | Page Size | feed>pageSize | Posts on one page.",
        "  feed-ranking = chronological | Order |  | How posts are ordered.",
        "  feed.teaser = nil | Teaser | feed>teaser | A line over the feed.",
        "  feed.default = false | Default | feed>default | On for one user.",
        "  newVideos | New Videos | feed>newVideos | The first videos.",
        "    feed.new-videos.auto-play = false | Auto Play | feed>newVideos>autoPlay | Plays at once.",
        "    feed.new-videos.quality = nil | Quality | feed>newVideos>quality | The height of the picture.",
        "  video | Archive | feed>old | The other videos.",
        "    feed.old.auto-play = false | Auto Play | feed>old>autoPlay | Plays at once.",
        "    feed.old.quality = nil | Quality | feed>old>quality | The height of the picture.",
        "  inPlace | In Place | feed | Posts with videos.",
        "    feed.auto-play = false | Auto Play | feed>autoPlay | Plays at once.",
        "    feed.quality = nil | Quality | feed>quality | The height of the picture.",
      ])
  }

  @Test("The list of all flags is the catalog without its groups")
  func allFlags() {
    #expect(VideoFlags.allFlags.map(\.key) == ["video.auto-play", "video.quality"])
    #expect(FeedFlags.allFlags.count == 10)
  }

  @Test("A property reads the current value of its flag")
  func reads() {
    let feed = FeedFlags(
      FixedFlags(values: [
        "feed.page-size": 50, "feed-ranking": Ranking.popular, "feed.teaser": "Hello" as String?,
        "feed.new-videos.auto-play": true, "feed.auto-play": true,
      ]))
    #expect((feed.pageSize, feed.ranking, feed.teaser) == (50, .popular, "Hello"))
    #expect((feed.pages, feed.default) == (2, false))
    #expect((feed.newVideos.autoPlay, feed.video.autoPlay, feed.playsInPlace) == (true, false, true))
  }

  @Test("A property reads the default where the manager has no other value")
  func readsDefaults() {
    let feed = FeedFlags(FixedFlags())
    #expect((feed.pageSize, feed.ranking, feed.teaser) == (20, .chronological, nil))
    #expect((feed.newVideos.autoPlay, feed.newVideos.quality) == (false, nil))
  }

  @Test("The property with a dollar sign is the flag itself")
  func boundFlag() {
    let feed = FeedFlags(FixedFlags(values: ["feed.page-size": 50]))
    #expect((feed.$pageSize.key, feed.$pageSize.value, feed.$pageSize.defaultValue) == ("feed.page-size", 50, 20))
    #expect("\(feed.$pageSize)" == "feed.page-size = 50")
    #expect(feed.newVideos.$autoPlay.key == "feed.new-videos.auto-play")
    #expect(feed.$ranking.metadata.excludedProviders == ["Firebase"])
  }

  @Test("A flag carries everything that its attribute says")
  func metadata() {
    let pageSize = FeedFlags.flags.pageSize.metadata
    #expect((pageSize.order, pageSize.owner, pageSize.expires) == (3, "feed", "2027-01-31"))
    let teaser = FeedFlags.flags.teaser.metadata
    #expect([teaser.requiresRestart, teaser.isInternal, teaser.isLocked] == [true, true, true])
    #expect([pageSize.requiresRestart, pageSize.isInternal, pageSize.isLocked] == [false, false, false])
    #expect(FeedFlags.catalog.metadata.owner == "growth")
  }

  @Test("What browsers show of a flag, a group and a set is said in their attributes")
  func presentation() throws {
    let pageSize = FeedFlags.flags.pageSize.metadata.presentation
    #expect(
      pageSize
        == FlagPresentation(icon: "page", range: 5...100, step: 5, suggestions: [10], userInfo: ["team": "feed"]))
    #expect(FeedFlags.flags.teaser.metadata.presentation == FlagPresentation())
    #expect(FeedFlags.catalog.metadata.presentation.icon == "feed")
    let groups = FeedFlags.catalog.items.compactMap { if case .group(let group) = $0 { group } else { nil } }
    #expect(groups.map(\.metadata.presentation.groupStyle) == [.section, .navigation, .section])
  }

  @Test("A computed value sees the context, and its nil asks on", arguments: [(nil, nil), ("42", true), ("7", false)])
  func computed(user: String?, value: Bool?) throws {
    let computed = try #require(FeedFlags.flags.default.computed)
    #expect(computed(EvaluationContext(user: user.map { FlagUser(id: $0) })) == value)
  }

  @Test("A set written by hand is no different")
  func byHand() {
    #expect(HandWrittenFlags.catalog.outline == VideoFlags.catalog.outline)
    let manager = FixedFlags(values: ["video.auto-play": true, "video.quality": UInt16(720) as UInt16?])
    let (hand, macro) = (HandWrittenFlags(manager), VideoFlags(manager))
    #expect((hand.autoPlay, hand.quality) == (true, 720))
    #expect((macro.autoPlay, macro.quality) == (hand.autoPlay, hand.quality))
  }

  @Test("The cases of an enumeration are the choices of its flag")
  func choices() throws {
    #expect(try FeedFlags.flags.ranking.choices == ["chronological", "popular"])
    #expect(try FeedFlags.flags.pageSize.choices == [])
    #expect(try Flag("a", default: Ranking?.none, "An optional one.").choices == ["chronological", "popular"])
  }
}

@Suite("What sets and flags say of providers, overrides and other flags")
struct LimitedFlagsTests {
  @Test("A documentation comment is the description where there is no other")
  func describes() {
    let flags = LimitedFlags.flags
    #expect(flags.captions.metadata.description == #"Shows captions, "always" or \never."#)
    #expect(flags.speed.metadata.description == "The speed.")
    #expect(LimitedFlags.catalog.metadata.description == "What a vendor decides.")
  }

  @Test("What a set restricts is restricted for its flags and groups, and for these groups elsewhere not")
  func restricts() {
    let (flags, inner) = (LimitedFlags.flags, LimitedFlags.flags.inner.isOn.metadata)
    for metadata in [flags.captions.metadata, flags.speed.metadata, inner] {
      #expect(!metadata.isOverridable && metadata.providers == ["Statsig"])
    }
    #expect(flags.captions.metadata.excludedProviders == ["Local"])
    #expect(flags.speed.metadata.excludedProviders == ["Local", "Test"])
    let own = LimitedInnerFlags.flags.isOn.metadata
    #expect(own.isOverridable && own.providers == nil && own.excludedProviders.isEmpty)
  }

  @Test("A flag requires one of a group or of its own set, and has a fallback")
  func requires() {
    let flags = LimitedFlags.flags
    #expect(flags.speed.metadata.requires == flags.inner.isOn.key)
    #expect(flags.pitch.metadata.requires == flags.captions.key)
    #expect(flags.captions.metadata.requires == nil)
    #expect(flags.speed.fallback?(EvaluationContext(attributes: ["isInternal": true])) == 2)
    #expect(flags.speed.fallback?(EvaluationContext()) == nil && flags.speed.computed == nil)
  }
}

/// What a vendor decides.
@FlagSet("limited", isOverridable: false, providers: ["Statsig"], excludedProviders: ["Local"])
private struct LimitedFlags {
  /// Shows captions,
  /// "always" or \never.
  ///
  /// Not a part of the description.
  @Flag var captions = false
  /// A comment for developers.
  @Flag(
    "The speed.", providers: ["Statsig", "Firebase"], excludedProviders: ["Test"],
    requires: "limited.inner.is-on", fallback: { $0["isInternal"] == true ? 2 : nil })
  var speed = 1
  @Flag("The pitch.", requires: "limited.captions") var pitch = 1
  @FlagGroup("Inner flags.") var inner: LimitedInnerFlags
}

@FlagSet("limited-inner", "Inner flags.")
private struct LimitedInnerFlags {
  @Flag("A switch.") var isOn = false
}

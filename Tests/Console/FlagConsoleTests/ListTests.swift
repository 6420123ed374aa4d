import FlagConsole
import FlagDomain
import Testing

@Suite("List of a console")
struct ListTests {
  @Test("Flags come in groups, by their order and then as declared, without those that are hidden")
  func orders() throws {
    let console = try ConsoleFixture().console
    let paths = console.list().rows.map(\.path)
    #expect(
      paths == [
        "Settings → layout", "Settings → new-profile", "Settings → locked", "Settings → engine",
        "Feed → Page size", "Feed → feed.ranking", "Feed → Video posts → Autoplay",
      ])
    #expect(console.list().sections.map(\.title) == ["Settings", "Feed", "Feed → Video posts"])
    #expect(console.list(FlagQuery(includesInternal: true)).rows.contains { $0.key == "secret" })
    #expect(console.groups.map(\.title) == ["Settings", "Feed"])
  }

  @Test(
    "Search looks at names, keys, descriptions and groups at every level; case and accents do not count",
    arguments: [
      ("PAGE", ["feed.page-size"]), ("naive facade", ["new-profile"]), ("video.autoplay", ["feed.video.autoplay"]),
      ("moving", ["feed.video.autoplay"]), ("read video", ["feed.video.autoplay"]), ("what is read", Self.feed),
      ("hidden", []), ("nothing at all", []), ("  ", Self.all),
    ] as [(String, [String])])
  func searches(text: String, keys: [String]) throws {
    #expect(try ConsoleFixture().console.list(FlagQuery(text)).rows.map(\.key.name) == keys)
  }

  @Test(
    "A letter is searched without its case, its accents and its width, in any of three scripts",
    arguments: [
      ("Naïve FAÇADE", "naive facade"), ("e\u{301}", "e"), ("Straße", "strasse"), ("Đặng Tuyết", "dang tuyet"),
      ("ＡＢ１", "ab1"), ("Ἀλφάβητος", "αλφαβητοσ"), ("Ёлка й Їжак", "елка и іжак"), ("ﬁle", "file"), ("日本", "日本"),
    ])
  func folds(text: String, folded: String) {
    #expect(text.foldedForSearch == folded)
  }

  @Test(
    "Filters look at the state",
    arguments: [
      (.enabled, ["new-profile", "feed.video.autoplay"]), (.disabled, ["engine"]),
      (.overridden, ["new-profile"]), (.changed, ["new-profile", "feed.page-size"]),
      (.expired, ["feed.video.autoplay"]), (.waiting, []), (.failing, ["feed.page-size"]),
    ] as [(FlagQuery.Filter, [String])])
  func filters(filter: FlagQuery.Filter, keys: [String]) throws {
    let size: FlagValue = filter == .failing ? "many" : 25
    let console = try ConsoleFixture(["new-profile": true], values: ["feed.page-size": size]).console
    // The flag's rule needs a user, and the override does not; a visitor without an id is no failure.
    if filter == .failing { try console.clearOverride(of: "new-profile") }
    #expect(console.list(FlagQuery(filters: [filter])).rows.map(\.key.name) == keys)
  }

  @Test("A provider, a group and a limit narrow the list, which says how many flags there would be")
  func narrows() throws {
    let console = try ConsoleFixture().console
    #expect(console.list(FlagQuery(providers: ["local"])).rows.map(\.key) == ["feed.page-size"])
    #expect(console.providers == ["local", "in-house"])
    let list = console.list(FlagQuery(group: ["feed"], limit: 2))
    #expect(list.rows.map(\.key) == ["feed.page-size", "feed.ranking"])
    #expect(list.matched == 3 && list.omitted == 1 && list.total == 7)
  }

  @Test("A row says value, default, type, source and state")
  func tells() throws {
    let console = try ConsoleFixture(["new-profile": true]).console
    let profile = try #require(console.row("new-profile"))
    #expect(profile.stateText == "overridden on" && profile.source == "Override" && profile.differsFromDefault)
    let size = try #require(console.row("feed.page-size"))
    #expect(size.value == 25 && size.defaultValue == 20 && size.source == "local" && size.stateText == "25")
    #expect(size.dataType.readableName == "Whole number" && size.dataType.icon == "number")
    let autoplay = try #require(console.row("feed.video.autoplay"))
    #expect(autoplay.isExpired && autoplay.metadata.owner == "video" && autoplay.resolution.reason == .disabled)
    #expect(console.row("layout")?.metadata.presentation.icon == "grid")
    #expect(console.row("locked")?.isEditable == false)
  }

  @Test("A detail says what each provider would give, and the value without the override")
  func details() throws {
    let console = try ConsoleFixture(["feed.page-size": 50]).console
    let detail = try #require(console.detail("feed.page-size"))
    #expect(detail.row.value == 50 && detail.row.original == 25 && detail.row.storedOverride == 50)
    #expect(detail.answers.map(\.provider) == ["local", "in-house"])
    #expect(try detail.answers.map { try $0.outcome.get()?.value } == [25, nil])
    #expect(detail.writableProviders == ["local"] && detail.definition?.isEditable != true)
    #expect(console.detail("gone") == nil)
  }

  @Test("5,000 flags are searched without asking for their values")
  func searchesMany() throws {
    let flags = (0..<5000).map { number in
      Flag(FlagKey(stringLiteral: "many.flag-\(number)"), default: false, FlagMetadata("Number \(number)."))
    }
    let fixture = try ConsoleFixture()
    try fixture.console.registry.add(FlagCatalog("many", items: flags.map { .flag($0) }))
    let list = fixture.console.list(FlagQuery("flag-4999", limit: 100))
    #expect(list.rows.map(\.key) == ["many.flag-4999"] && list.total == 5007)
  }

  private static let all = [
    "layout", "new-profile", "locked", "engine", "feed.page-size", "feed.ranking", "feed.video.autoplay",
  ]
  private static let feed = ["feed.page-size", "feed.ranking", "feed.video.autoplay"]
}

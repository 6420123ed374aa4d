import FlagConsole
import FlagDomain
import FlagEditing
import Testing
import FlagSupport

@Suite("Groups and marks of a console")
struct GroupTests {
  @Test("A group that is shown as navigation is one row with its counts, in its place; as a section it is a heading")
  func showsGroupRows() throws {
    let console = try Self.console(["a.own.one": true, "own.flag": 2])
    let sections = console.list(FlagQuery(showsGroupRows: true)).sections
    #expect(
      sections.map(Self.text) == [
        "A: a.first, [Own list: 3 flags, 1 overridden], a.last", "A → Part: a.part.one",
        ": [Own: 1 flag, 1 overridden]",
      ])
    #expect(sections[2].items.first?.id != sections[0].items[1].id)
    guard case .group(let row) = sections[0].items[1] else {
      Issue.record("expected the row of a group, found \(sections[0].items[1])")
      return
    }
    #expect(row.name.path == ["a", "own"] && row.summary == "Flags of their own." && row.icon == "star")
  }

  @Test("A list that is narrowed to a group has what is in it, with headings from there on, and says which group it is")
  func narrows() throws {
    let console = try Self.console()
    let list = console.list(FlagQuery(group: ["a", "own"], showsGroupRows: true))
    #expect(list.sections.map(Self.text) == [": a.own.one, [Inner: 1 flag]", "Section: a.own.section.one"])
    #expect(list.group?.name.title == "A → Own list" && list.group?.title == "Own list" && list.group?.flags == 3)
    let inner = console.list(FlagQuery(group: ["a", "own", "inner"], showsGroupRows: true))
    #expect(inner.sections.map(Self.text) == [": a.own.inner.one"])
    let none = console.list(FlagQuery(group: ["gone"], showsGroupRows: true))
    #expect(none.sections.isEmpty && none.group == nil)
    #expect(console.groups.map(\.title) == ["A", "A → Own list", "A → Own list → Inner", "Own", "Secret"])
  }

  @Test(
    "Words, filters and providers find flags at every level, with their groups",
    arguments: [
      FlagQuery("one", showsGroupRows: true), FlagQuery(filters: [.disabled], showsGroupRows: true),
      FlagQuery(providers: ["local"], showsGroupRows: true), FlagQuery(showsGroupRows: false),
    ])
  func searchesThrough(query: FlagQuery) throws {
    let list = try Self.console().list(query)
    let rows = try #require(list.sections.first { $0.groups == ["A", "Own list"] }).rows
    #expect(rows.map(\.key) == ["a.own.one"])
    #expect(!list.sections.flatMap(\.items).contains { if case .group = $0 { true } else { false } })
  }

  @Test("A limit is of flags, and says how many it leaves out; those behind a group's row are not among them")
  func limits() throws {
    let list = try Self.console().list(FlagQuery(showsGroupRows: true, limit: 1))
    #expect(list.rows.map(\.key) == ["a.first"] && list.omitted == 2 && list.matched == 7)
    #expect(try Self.console().list(FlagQuery(limit: 1)).omitted == 6)
  }

  @Test("A group that is internal hides its flags, and one that is locked keeps them as they are")
  func inherits() throws {
    let console = try Self.console(["own.flag": 2])
    #expect(!console.list().rows.contains { $0.key == "secret.one" } && console.list().total == 7)
    let row = try #require(console.list(FlagQuery(includesInternal: true)).rows.first { $0.key == "secret.one" })
    #expect(row.isLocked && !row.isEditable && row.tags == [.locked])
    let error = #expect(throws: FlagError.self) { try console.override("secret.one", with: true) }
    #expect(error?.message == "the flag is locked: it can be changed only in code")
  }

  @Test(
    "Beside a flag's name stands what is the matter with it",
    arguments: [
      ("new-profile", []), ("engine", [.waiting]), ("feed.video.autoplay", [.overridden, .expired]),
      ("locked", [.locked]), ("feed.page-size", [.failing]),
    ] as [(String, [FlagTag])])
  func tags(key: String, tags: [FlagTag]) throws {
    let console = try ConsoleFixture(["feed.video.autoplay": false], values: ["feed.page-size": "many"]).console
    try console.override("engine", with: true)
    #expect(console.row(key)?.tags == tags)
  }

  @Test("A flag's excluded provider is shown as excluded; neither it nor a locked flag can be written")
  func tellsExcluded() throws {
    let items = [
      Flag("left-out", default: 1, FlagMetadata("", excludedProviders: ["local"])),
      Flag("locked", default: 1, FlagMetadata("", isLocked: true)), Flag("open", default: 1, ""),
    ]
    let catalogs = [FlagCatalog("a", items: items.map { .flag($0) })]
    let console = try ConsoleFixture(catalogs: catalogs, values: ["left-out": 2, "locked": 2, "open": 2]).console
    let details = try items.map { try #require(console.detail($0.key.name)) }
    #expect(details.map { $0.answerText(of: "local") } == ["not queried", "2", "2"])
    #expect(details.map(\.writableProviders) == [[], [], ["local"]])
    #expect(details.map(\.removableProviders) == [[], [], ["local"]])
  }

  @Test("An app marks flags by what it knows of them, their state included")
  func marks() throws {
    let console = try ConsoleFixture(
      ["new-profile": true],
      options: { options in
        options.mark = { row in
          if row.isOverridden { return FlagMark("Mine", .pink) }
          return row.groups == ["Feed"] ? FlagMark("Server", .blue) : nil
        }
      }
    ).console
    let marks = console.list().rows.map { $0.mark?.label ?? "" }
    #expect(marks == ["", "Mine", "", "", "Server", "Server", ""])
    #expect(console.row("new-profile")?.mark == FlagMark("Mine", .pink))
    #expect(console.detail("feed.ranking")?.row.mark?.tint == .blue)
  }

  @Test("Several providers are chosen at once; none means all")
  func choosesProviders() throws {
    let console = try ConsoleFixture().console
    var query = FlagQuery()
    query.toggle(provider: "local")
    #expect(console.list(query).rows.map(\.key) == ["feed.page-size"])
    query.toggle(provider: "in-house")
    #expect(console.list(query).rows.map(\.key) == ["new-profile", "feed.page-size", "feed.video.autoplay"])
    query.toggle(provider: "local")
    #expect(console.list(query).rows.map(\.key) == ["new-profile", "feed.video.autoplay"])
    query.toggle(provider: "in-house")
    #expect(console.list(query).matched == 7)
  }

  @Test("One filter at a time is a choice of one or none")
  func choosesFilter() {
    var query = FlagQuery(filters: [.expired])
    #expect(query.filter == .expired)
    query.filter = .enabled
    #expect(query.filters == [.enabled])
    query.filter = nil
    #expect(query.filters.isEmpty && query.filter == nil)
  }

  @Test(
    "A value is never shown as nothing",
    arguments: [("", "empty text"), ("  ", #""  ""#), ("a b", "a b"), (.null, "none"), (true, "on"), ([], "[]")]
      as [(FlagValue, String)])
  func showsValues(value: FlagValue, text: String) { #expect(value.shortText == text) }

  private static func text(_ section: FlagSection) -> String {
    let items = section.items.map { item in
      switch item {
      case .flag(let row): row.key.name
      case .group(let row): "[\(row.title): \(row.countText)]"
      }
    }
    return "\(section.title): \(items.joined(separator: ", "))"
  }

  private static func console(_ overrides: [FlagKey: FlagValue] = [:]) throws -> ConsoleModel {
    let fixture = try ConsoleFixture(catalogs: catalogs, overrides, values: ["a.own.one": false, "a.first": 2])
    return fixture.console
  }

  private static func metadata(_ title: String, _ description: String = "", icon: String? = nil) -> FlagMetadata {
    FlagMetadata(description, displayName: title, presentation: .init(icon: icon, groupStyle: .navigation))
  }

  private static let catalogs = [
    FlagCatalog("a", FlagMetadata("", displayName: "A")) {
      Flag("a.first", default: 1, "First.")
      FlagCatalog("own", metadata("Own list", "Flags of their own.", icon: "star")) {
        Flag("a.own.one", default: false, "One.")
        FlagCatalog("inner", metadata("Inner")) { Flag("a.own.inner.one", default: false, "One.") }
        FlagCatalog("section", FlagMetadata("", displayName: "Section")) {
          Flag("a.own.section.one", default: false, "One.")
        }
      }
      Flag("a.last", default: 1, "Last.")
      FlagCatalog("part", FlagMetadata("", displayName: "Part")) { Flag("a.part.one", default: false, "One.") }
    },
    FlagCatalog("own", metadata("Own")) { Flag("own.flag", default: 1, "Alone.") },
    FlagCatalog("secret", FlagMetadata("", displayName: "Secret", isInternal: true, isLocked: true)) {
      Flag("secret.one", default: false, "Hidden.")
    },
  ]
}

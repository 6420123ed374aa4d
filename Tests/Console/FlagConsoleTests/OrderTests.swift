import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import Testing

@Suite("Orders, tags, owners and stale flags of a list")
struct OrderTests {
  @Test(
    "A list is in the order of the document, by name, or by state",
    arguments: [
      (.document, ["zeta", "alpha", "Beta", "text", "gone", "feed.old"]),
      (.name, ["alpha", "Beta", "gone", "feed.old", "text", "zeta"]),
      (.state, ["zeta", "alpha", "Beta", "gone", "feed.old", "text"]),
    ] as [(FlagQuery.Order, [String])])
  func sorts(order: FlagQuery.Order, keys: [String]) throws {
    let list = try Self.console.list(FlagQuery(order: order))
    #expect(list.rows.map(\.key.name) == keys)
    #expect(list.sections.count == (order == .document ? 2 : 1))
    let part = try Self.console.list(FlagQuery(limit: 2, order: order))
    #expect(part.rows.map(\.key.name) == Array(keys.prefix(2)) && part.omitted == 4)
  }

  @Test("Tags are separated by commas in the metadata, shown with the flag, and narrow the list")
  func tags() throws {
    let console = try Self.console
    #expect(console.flagTags == ["checkout", "q3", "two words"])
    #expect(console.row("alpha")?.metadataTags == ["checkout", "two words"] && console.row("text")?.metadataTags == [])
    #expect(console.list(FlagQuery(tags: ["checkout"])).rows.map(\.key.name) == ["alpha", "Beta"])
    #expect(console.list(FlagQuery(tags: ["checkout", "q3"])).rows.map(\.key.name) == ["Beta"])
    #expect(console.list(FlagQuery(tags: ["nothing"])).rows.isEmpty)
  }

  @Test("Owners narrow the list, those in the code as those in the definitions")
  func owners() throws {
    let console = try Self.console
    #expect(console.owners == ["ana", "growth"])
    #expect(console.list(FlagQuery(owner: "growth")).rows.map(\.key.name) == ["zeta", "Beta"])
    let shop = try ConsoleFixture().console
    #expect(shop.list(FlagQuery(owner: "video")).rows.map(\.key.name) == ["feed.video.autoplay"])
  }

  @Test("A flag is stale if it is expired, retired, off for everyone, or gives everyone one variant")
  func findsStale() throws {
    let rows = try Self.console.list(FlagQuery(filters: [.stale])).rows
    let reasons = Dictionary(uniqueKeysWithValues: rows.map { ($0.key.name, $0.staleness) })
    #expect(
      reasons == [
        "zeta": [.oneVariant], "Beta": [.expired], "text": [.oneVariant], "gone": [.retired],
        "feed.old": [.expired, .offForEveryone],
      ])
    #expect(try Self.console.row("alpha")?.staleness == [])
    let undefined = try ConsoleFixture(editor: { _, _ in nil }).console
    #expect(undefined.list(FlagQuery(filters: [.stale])).rows.map(\.staleness) == [[.expired]])
  }

  @Test("A flag that no code reads is stale, too")
  func findsUnread() throws {
    let fixture = try ConsoleFixture(options: { $0.unreadKeys = { ["new-profile", "gone"] } })
    #expect(fixture.console.row("new-profile")?.staleness.last == .unread)
    #expect(fixture.console.row("feed.video.autoplay")?.staleness.contains(.unread) == false)
  }

  @Test("Facts follow the definitions, and a document's odd metadata are none")
  func follows() async throws {
    let fixture = try ConsoleFixture(document: Self.document(#"{"tags": 1, "owner": true, "retired": "yes"}"#))
    #expect(fixture.console.flagTags == [] && fixture.console.row("new-profile")?.staleness == [.oneVariant])
    let text = Self.document(#"{"tags": " a,, b ,a"}"#)
    try await fixture.definitions.replace(with: Array(text.utf8), expecting: fixture.definitions.current?.version)
    #expect(fixture.console.flagTags == ["a", "b"] && fixture.console.session().flagTags == ["a", "b"])
  }

  @Test(
    "Catalogs of a document stay if states and rules change, and not if keys, variants or metadata do",
    arguments: [
      (#""state": "ENABLED""#, #""state": "DISABLED""#, true), (#"["on", 1]"#, #"["on", 2]"#, true),
      (#""defaultVariant": "on""#, #""defaultVariant": "off""#, true), (#""zeta""#, #""zet""#, false),
      (#"{"a": "x"}"#, #"{"a": "y"}"#, false), (#""owner": "ana""#, #""owner": "bea""#, false),
      (#"{"a": "x"}"#, #"{"a": 1}"#, false), (#""text": {"#, #""text": {"variants": {}, "#, true),
    ])
  func comparesLists(old: String, new: String, isSame: Bool) throws {
    let before = try #require(try InMemoryDefinitionStore(Self.document).current)
    let text = Self.document.replacing(old, with: new, maxReplacements: 1)
    let after = try #require(try InMemoryDefinitionStore(text).current)
    #expect(text != Self.document && after.document.listsSameFlags(as: before.document) == isSame)
  }

  private static var console: ConsoleModel {
    get throws {
      let definitions = try #require(try InMemoryDefinitionStore(document).current)
      return try ConsoleFixture(
        catalogs: FlagCatalog.catalogs(of: definitions.document, named: "flags"), values: [:], document: document
      ).console
    }
  }

  private static func document(_ metadata: String) -> String {
    #"{"flags": {"new-profile": {"state": "ENABLED", "variants": {"on": true}, "metadata": \#(metadata)}}}"#
  }

  private static let document = """
    {"flags": {
      "zeta": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on",
        "metadata": {"owner": "growth"}},
      "alpha": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"if": [{"==": [{"var": "a"}, 1]}, "on"]},
        "metadata": {"tags": "checkout, two words", "owner": "ana"}},
      "Beta": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"fractional": [["on", 1], ["off", 1]]},
        "metadata": {"tags": "q3,checkout", "owner": "growth", "expires": "2027-01-30"}},
      "text": {"state": "ENABLED", "variants": {"a": "x"}, "defaultVariant": "a"},
      "gone": {"state": "DISABLED", "variants": {"on": true}, "metadata": {"retired": true}},
      "feed.old": {"state": "DISABLED", "variants": {"on": true}, "metadata": {"expires": "2026-01-01"}}
    }}
    """
}

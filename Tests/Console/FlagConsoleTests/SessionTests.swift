import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("A console for several people")
struct SessionTests {
  @Test("Each session has a user and an undo history of its own; the program's user stays, and overrides are shared")
  func separates() throws {
    let fixture = try ConsoleFixture(ports: { $0.observing = nil })
    let (one, other) = (fixture.console.session(), fixture.console.session())
    try one.signIn(FlagUser(id: "ana", countryCode: "es", attributes: ["age": 30]))
    #expect(one.user?.id == "ana" && other.user == nil && fixture.console.user == nil)
    #expect(one.row("new-profile")?.value == true && other.row("new-profile")?.value == false)
    #expect(fixture.client.manager.variation(for: Shop.profile) == false)
    let revision = other.revision
    try one.override("feed.page-size", with: 40)
    #expect(other.revision > revision && other.row("feed.page-size")?.value == 40)
    #expect(one.undoTitle != nil && other.undoTitle == nil)
    #expect(try other.undo() == nil && other.row("feed.page-size")?.value == 40)
    #expect(try one.undo() == "the override of Page size" && other.row("feed.page-size")?.value == 25)
  }

  @Test("A read-only console asks as a user without signing the program's user in")
  func asksReadOnly() throws {
    let fixture = try ConsoleFixture(ports: { $0.authenticator = nil }, options: { $0.isReadOnly = true })
    #expect(fixture.console.allowsSignIn)
    try fixture.console.signIn(FlagUser(id: "ana", countryCode: "es", attributes: ["age": 30]))
    #expect(fixture.console.row("new-profile")?.value == true)
    #expect(fixture.client.manager.variation(for: Shop.profile) == false)
    #expect(fixture.console.storageNotice == nil)
  }

  @Test("Consoles over one editor have a saved change each, and one that is read-only saves nothing")
  func sharesEditor() async throws {
    let store = try InMemoryDefinitionStore(Shop.document)
    let editor = DefinitionEditor(store)
    let (one, other) = (
      try ConsoleFixture(editor: { _, _ in editor }).editor, try ConsoleFixture(editor: { _, _ in editor }).editor
    )
    let viewer = try ConsoleFixture(options: { $0.isReadOnly = true }, editor: { _, _ in editor }).editor
    var draft = try viewer.draft(of: "new-profile")
    draft.isEnabled = false
    let change = DocumentChange(draft)
    await #expect(throws: FlagError(.general, "this console is read-only")) { try await viewer.save(change) }
    try await one.save(change)
    #expect(one.savedChange?.keys == ["new-profile"] && other.savedChange == nil)
    #expect(try other.draft(of: "new-profile").isEnabled == false)
  }

  @Test("A session of a session is another one of the same console, and a released one is forgotten")
  func releases() throws {
    let console = try ConsoleFixture().console
    weak var released: ConsoleModel?
    do {
      let session = console.session().session()
      released = session
      #expect(session.list().rows.count == console.list().rows.count)
    }
    #expect(released == nil)
  }

  @Test("Without known defaults none is shown, and a value that is one is no value")
  func knowsNoDefaults() throws {
    let console = try ConsoleFixture(options: { ($0.knowsDefaults, $0.storesOverrides) = (false, false) }).console
    let row = try #require(console.row("feed.video.autoplay"))
    #expect(row.valueText == "the code's default" && row.defaultText == "the code's default" && row.isOn == nil)
    #expect(!row.differsFromDefault)
    #expect(console.row("new-profile")?.valueText == "off" && console.row("new-profile")?.isOn == false)
    #expect(console.storageNotice == "Overrides end with this console: they are stored nowhere.")
    try console.override("feed.video.autoplay", with: true)
    #expect(console.row("feed.video.autoplay")?.valueText == "on")
  }

  @Test("A visitor without the id that a rollout needs is no error")
  func needsUser() throws {
    let document = #"""
      {"flags": {"new-profile": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"fractional": [["on", 10], ["off", 90]]}}}}
      """#
    let console = try ConsoleFixture(document: document).console
    let row = try #require(console.row("new-profile"))
    #expect(row.errors.isEmpty && row.tags.isEmpty)
    #expect(
      console.detail("new-profile")?.definition?.explanation
        == "The rule needs a user id, and nobody is signed in.")
  }
}

@Suite("Overrides that no variant has")
struct DoubtTests {
  @Test("An import says which of its values no variant has")
  func saysInImports() throws {
    let document = #"{"flags": {"feed.page-size": {"state": "ENABLED", "variants": {"a": 25}}}}"#
    let console = try ConsoleFixture(document: document).console
    let differences = try console.differences(importing: #"{"feed.page-size": 30, "layout": {"rows": 1}}"#)
    #expect(differences.map(\.doubt) == ["The value 30 is none of the flag's variants: a (25).", nil])
  }

  @Test(
    "An override that is none of the variants is asked about, with what the definition has",
    arguments: [
      ("n", "20", nil), ("n", "35", "The value 35 is none of the flag's variants: large (50), small (20)."),
      ("t", "new", nil), ("t", "odd", "The value odd is none of the flag's variants: a (new)."), ("b", "false", nil),
      (
        "o", #"{"rows": 3}"#,
        "The value has another shape than the flag's variants: expected {columns: a number, rows: a number}, "
          + "found {rows: a number}."
      ),
      (
        "o", #"{"rows": 3, "columns": 1}"#,
        "The value {\"columns\":1,\"rows\":3} is none of the flag's variants: g "
          + "({\"columns\":2,\"rows\":3})."
      ),
      ("other", "7", nil),
    ] as [(String, String, String?)])
  func asks(key: String, text: String, message: String?) throws {
    let flags: [any FeatureFlag] = [
      Flag("n", default: 20, "A number."), Flag("t", default: "", "A text."), Flag("b", default: true, "A switch."),
      Flag("o", default: FlagValue.null, "An object."), Flag("other", default: 1, "Not in the document."),
    ]
    let document = #"""
      {"flags": {"n": {"state": "ENABLED", "variants": {"small": 20, "large": 50}},
        "t": {"state": "ENABLED", "variants": {"a": "new"}}, "b": {"state": "ENABLED", "variants": {"on": true}},
        "o": {"state": "ENABLED", "variants": {"g": {"rows": 3, "columns": 2}}}}}
      """#
    let console = try ConsoleFixture(
      catalogs: [FlagCatalog("all", items: flags.map { .flag($0) })], values: [:], document: document
    ).console
    let pending = try console.submit(.override(key: key, entering: text))
    #expect(pending?.question.message == message)
    #expect(console.row(key)?.isOverridden == (message == nil))
    if let pending { try console.apply(pending.change) }
    #expect(console.row(key)?.isOverridden == true)
  }
}

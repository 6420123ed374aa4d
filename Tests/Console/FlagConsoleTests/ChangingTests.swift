import FlagComposition
import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagEditing
import FlagProviders
import Testing

@Suite("Changing flags in a console", .timeLimit(.minutes(15)))
struct ChangingTests {
  @Test(
    "An editor follows from the type, and reads what a person enters",
    arguments: [
      ("new-profile", "true", .bool(true)), ("feed.page-size", "40", 40), ("feed.page-size", " 100 ", 100),
      ("feed.ranking", "\"popular\"", "popular"), ("layout", "{\"rows\": 3}", ["rows": 3]),
    ] as [(String, String, FlagValue)])
  func reads(key: String, text: String, value: FlagValue) throws {
    let fixture = try ConsoleFixture()
    try fixture.console.override(key, entering: text)
    #expect(fixture.console.row(key)?.value == value && fixture.console.row(key)?.isOverridden == true)
    #expect(fixture.overrides.stored.values.map { $0 } == [value])
  }

  @Test(
    "What a flag cannot be is refused with what is expected and what was found",
    arguments: [
      ("new-profile", "maybe", "expected true or false, found “maybe”"),
      ("feed.page-size", "abc", "expected a whole number from 5 to 100 in steps of 5, found “abc”"),
      ("feed.page-size", "4", "expected a whole number from 5 to 100 in steps of 5, found “4”"),
      ("feed.page-size", "12", "expected a whole number from 5 to 100 in steps of 5, found “12”"),
      ("feed.page-size", "1 0", "expected a whole number from 5 to 100 in steps of 5, found “1 0”"),
      ("feed.page-size", "", "expected a whole number from 5 to 100 in steps of 5, found nothing"),
      ("feed.ranking", "x", "expected one of chronological, popular, found “x”"),
      ("layout", "{\n  \"rows\": }", "line 2, column 11: expected a value, found \"}\""),
      ("layout", "{\"rows\": \"a\"}", "at rows: expected Int, found string \"a\""),
      ("locked", "b", "the flag is locked: it can be changed only in code"),
      ("gone", "1", "no flag has the key “gone”"),
    ])
  func refuses(key: String, text: String, message: String) throws {
    let fixture = try ConsoleFixture()
    let error = #expect(throws: FlagError.self) { try fixture.console.override(key, entering: text) }
    #expect(error?.message == message)
    #expect(fixture.overrides.stored.isEmpty && fixture.console.undoTitle == nil)
  }

  @Test("Clearing one or all deletes what is stored but that of locked flags, and undo brings it back")
  func clears() throws {
    let fixture = try ConsoleFixture(["new-profile": true, "feed.page-size": 50, "locked": "b"])
    let console = fixture.console
    try console.clearOverride(of: "new-profile")
    #expect(fixture.overrides.stored == ["feed.page-size": 50, "locked": "b"])
    try console.clearOverrides()
    #expect(fixture.overrides.stored == ["locked": "b"])
    #expect(try console.undo() == "clearing all overrides")
    #expect(try console.undo() == "clearing the override of new-profile")
    #expect(fixture.overrides.stored == ["new-profile": true, "feed.page-size": 50, "locked": "b"])
    #expect(try console.undo() == nil)
  }

  @Test("A write that fails is an error, and changes nothing")
  func fails() throws {
    let fixture = try ConsoleFixture(["new-profile": true])
    fixture.overrides.fail(with: FlagError(.general, "the disk is full"))
    let actions: [() throws -> Void] = [
      { try fixture.console.clearOverrides() }, { try fixture.console.override("new-profile", with: false) },
    ]
    for action in actions {
      let error = #expect(throws: FlagError.self, performing: action)
      #expect(error?.message == "the disk is full")
    }
    #expect(fixture.console.row("new-profile")?.value == true && fixture.console.undoTitle == nil)
  }

  @Test("A console that is read-only refuses every change")
  func isReadOnly() throws {
    let fixture = try ConsoleFixture(["new-profile": true], options: { $0.isReadOnly = true })
    let console = fixture.console
    let actions: [() throws -> Void] = [
      { try console.override("new-profile", with: false) }, { try console.clearOverride(of: "new-profile") },
      { try console.clearOverrides() }, { try console.write(.set(1), to: "feed.page-size") },
      { try console.undo() }, { try console.importOverrides("{}") },
    ]
    for action in actions {
      let error = #expect(throws: FlagError.self, performing: action)
      #expect(error?.message == "this console is read-only")
    }
    #expect(fixture.overrides.stored == ["new-profile": true])
    #expect(console.list().rows.allSatisfy { !$0.isEditable })
  }

  @Test("A value is written to a provider, and removed there")
  func writes() throws {
    let fixture = try ConsoleFixture()
    #expect(try fixture.console.write(.set(30), to: "feed.page-size", in: ["local"]) == ["local"])
    #expect(fixture.console.row("feed.page-size")?.value == 30)
    #expect(throws: FlagError.self) { try fixture.console.write(.set("a"), to: "feed.page-size") }
    try fixture.console.write(.remove, to: "feed.page-size")
    #expect(fixture.console.row("feed.page-size")?.value == 20)
    try fixture.console.write(.set(false), to: "new-profile")
    try fixture.console.write(.remove, to: "new-profile")
    #expect(fixture.local.values.isEmpty)
  }

  @Test("Signing a test user in changes values and what is explained")
  func signsIn() throws {
    let console = try ConsoleFixture().console
    try console.signIn(FlagUser(id: "ana", countryCode: "es", attributes: ["age": 20]))
    #expect(console.row("new-profile")?.value == true && console.user?.id == "ana")
    #expect(console.detail("new-profile")?.definition?.explanation == "The rule chose “on”.")
    try console.signIn(nil)
    #expect(console.row("new-profile")?.value == false && console.user == nil)
  }

  @Test("An override of a flag that needs a restart waits for it")
  func waits() throws {
    let console = try ConsoleFixture().console
    #expect(console.row("engine")?.value == false)
    try console.override("engine", with: true)
    let row = try #require(console.row("engine"))
    #expect(row.isWaitingForRestart && row.value == false && !row.isOverridden)
    #expect(console.detail("engine")?.row.storedOverride == true && console.list().waiting == 1)
  }

  @Test("A subscriber of a console is notified of an override that was set, and of one that was cleared")
  func follows() async throws {
    let fixture = try ConsoleFixture()
    let (changes, feed) = AsyncStream.makeStream(of: UInt64.self)
    let subscription = fixture.console.subscribe { feed.yield($0) }
    var iterator = changes.makeAsyncIterator()
    try fixture.client.overrides.override(Shop.profile, with: true)
    let first = try #require(await iterator.next())
    try fixture.client.overrides.clearOverride(of: Shop.profile)
    let second = try #require(await iterator.next())
    #expect(second > first && fixture.console.row("new-profile")?.isOverridden == false)
    subscription.cancel()
  }

  @Test("Catalogs come and go; a key that is taken is an error that names both, and replacing is asked for by name")
  func changesCatalogs() throws {
    let console = try ConsoleFixture().console
    let plugIn = FlagCatalog("plug-in") { Flag("plug.one", default: 1, "One.") }
    try console.registry.add(plugIn)
    #expect(console.row("plug.one")?.value == 1)
    let error = #expect(throws: DuplicateFlagKeys.self) {
      try console.registry.add(FlagCatalog("other") { Flag("plug.one", default: 2, "Another.") })
    }
    #expect(error?.description == "2 flags share the key plug.one: plug-in > plug.one, other > plug.one")
    try console.registry.replace(FlagCatalog("plug-in") { Flag("plug.one", default: 2, "One.") })
    #expect(console.row("plug.one")?.value == 2)
    console.registry.removeCatalog(named: "plug-in")
    #expect(console.row("plug.one") == nil)
  }

  @Test("Where the client's registry is a port, what a plug-in registers is shown at once, and what is added is its")
  func followsRegistry() throws {
    let client = try FeatureFlagClient(catalogs: Shop.catalogs) {}
    let console = try ConsoleModel(
      catalogs: [], ConsoleModel.Ports(snapshots: client.snapshots, registry: client.registry))
    #expect(console.row("feed.page-size")?.value == 20)
    let revisions = Locked(0)
    let following = console.subscribe { _ in revisions.withLock { $0 += 1 } }
    try client.registry.add(FlagCatalog("plug-in") { Flag("plug.one", default: 1, "One.") })
    #expect(console.row("plug.one")?.value == 1 && revisions.withLock { $0 } == 1)
    client.registry.removeCatalog(named: "plug-in")
    #expect(console.row("plug.one") == nil && revisions.withLock { $0 } == 2)
    try console.registry.add(FlagCatalog("other") { Flag("plug.two", default: 2, "Two.") })
    #expect(client.catalogs.last?.name == "other" && console.row("plug.two")?.value == 2)
    console.registry.removeCatalog(named: "other")
    #expect(client.catalogs.count == Shop.catalogs.count)
    following.cancel()
  }

  @Test("Rules that ask for the time are explained with the system's, unless the app says another")
  func knowsTime() {
    #expect(DefinitionEditor.Options().now() > 1_700_000_000)
  }
}

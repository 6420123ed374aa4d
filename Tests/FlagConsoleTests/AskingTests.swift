import FlagConsole
import FlagDomain
import FlagProviders
import Testing

@Suite("What a console asks before it changes something")
struct AskingTests {
  @Test("Whoever changes a flag that needs a restart is asked first, and the change is applied on going on")
  func asksBeforeRestart() throws {
    let fixture = try ConsoleFixture()
    let console = fixture.console
    let change = ConsoleChange.override(key: "engine", entering: "true")
    let pending = try #require(try console.submit(change))
    #expect(pending.question.title == "Restart required" && pending.question.confirmation == "Continue")
    #expect(pending.question.message == "The change counts from the next start of the program.")
    #expect(fixture.overrides.stored.isEmpty, "it waits for the answer")
    try console.apply(pending.change)
    #expect(fixture.overrides.stored == ["engine": true] && console.row("engine")?.isWaitingForRestart == true)
    #expect(console.list().restartNotice == "1 flag waits for a restart.")
    // The program runs without it: there is nothing to restart for.
    #expect(try console.submit(.clear(key: "engine")) == nil && fixture.overrides.stored.isEmpty)
    #expect(console.list().restartNotice == nil)
  }

  @Test("Clearing an override that the program runs with is asked about, too")
  func asksBeforeClearing() throws {
    let console = try ConsoleFixture(["engine": true]).console
    #expect(console.question(before: .clear(key: "engine"))?.title == "Restart required")
    #expect(
      console.question(before: .clearAll)?.message.hasPrefix("Clear the override? The change counts") == true)
  }

  @Test(
    "Other changes are applied at once",
    arguments: [
      (.override(key: "new-profile", entering: "true"), ["new-profile": true, "feed.page-size": 50]),
      (.clear(key: "feed.page-size"), [:]),
      (.write(key: "feed.page-size", entering: "30", provider: "local"), ["feed.page-size": 50]),
    ] as [(ConsoleChange, [FlagKey: FlagValue])])
  func appliesAtOnce(change: ConsoleChange, stored: [FlagKey: FlagValue]) throws {
    let fixture = try ConsoleFixture(["feed.page-size": 50])
    #expect(try fixture.console.submit(change) == nil)
    #expect(fixture.overrides.stored == stored)
    #expect(fixture.local.values["feed.page-size"] == (change.isWrite ? 30 : 25))
  }

  @Test(
    "What is refused is an error, and no question",
    arguments: [
      .override(key: "engine", entering: "maybe"), .override(key: "locked", entering: "b"), .clear(key: "gone"),
      .override(key: "gone", entering: "1"), .write(key: "feed.page-size", entering: "1", provider: nil),
    ] as [ConsoleChange])
  func refuses(change: ConsoleChange) throws {
    let console = try ConsoleFixture().console
    #expect(console.question(before: change) == nil)
    #expect(throws: FlagError.self) { try console.submit(change) }
  }

  @Test("Clearing all is asked about with the number, and not offered where nothing is overridden or all must stay")
  func asksBeforeClearingAll() throws {
    let fixture = try ConsoleFixture(["new-profile": true, "feed.page-size": 50, "locked": "b"])
    let console = fixture.console
    #expect(console.list().overrides == 3)
    #expect(console.list().clearingQuestion?.message == "Clear all 2 overrides?")
    let pending = try #require(try console.submit(.clearAll))
    try console.apply(pending.change)
    #expect(fixture.overrides.stored == ["locked": "b"] && console.list().clearingQuestion == nil)
    #expect(try ConsoleFixture().console.list().clearingQuestion == nil)
    let readOnly = try ConsoleFixture(["new-profile": true], options: { $0.isReadOnly = true }).console
    #expect(readOnly.list().clearingQuestion == nil)
  }

  @Test("In one move a switch goes to what it is not overridden with, and back to the value without the override")
  func offersActions() throws {
    let console = try ConsoleFixture().console
    func titles(_ key: String) throws -> [String] {
      let row = try #require(console.row(key))
      return [row.defaultAction].compactMap { $0?.title } + row.switchActions.map(\.title)
    }
    #expect(try titles("new-profile") == ["On", "Off"])
    try console.override("new-profile", with: true)
    #expect(try titles("new-profile") == ["Default (off)", "Off"])
    try console.override("new-profile", with: false)
    #expect(try titles("new-profile") == ["Default (off)", "On"])
    try console.override("feed.page-size", with: 40)
    #expect(try titles("feed.page-size") == ["Default (25)"] && titles("locked") == [])
    let action = try #require(console.row("new-profile")?.switchActions.first)
    #expect(try console.submit(action.change) == nil && console.row("new-profile")?.value == true)
  }
}

extension ConsoleChange {
  fileprivate var isWrite: Bool { if case .write = self { true } else { false } }
}

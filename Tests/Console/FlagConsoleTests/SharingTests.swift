import FlagConsole
import FlagDomain
import Testing

@Suite("Sharing what a console shows")
struct SharingTests {
  @Test("What is on and what is overridden is exported as text, with groups")
  func exportsText() throws {
    let console = try ConsoleFixture(["feed.video.autoplay": false]).console
    #expect(
      console.exportedText() == """
        Settings → layout [{"rows":2} by default]
        Settings → new-profile [OFF by in-house]
        Settings → locked [a by default]
        Settings → engine [OFF by default]
        Feed → Page size [25 by local]
        Feed → feed.ranking [chronological by default]
        Feed → Video posts → Autoplay [OFF by override]

        """)
  }

  @Test("Exported JSON is imported: differences first, what no flag can have left out")
  func imports() throws {
    let source = try ConsoleFixture(["feed.video.autoplay": false, "feed.page-size": 50]).console
    let console = try ConsoleFixture(["feed.page-size": 50]).console
    let differences = try console.differences(importing: source.exportedJSON())
    #expect(differences.map(\.title) == ["Autoplay"] && differences.map(\.refusal) == [nil])
    #expect(differences.map(\.current) == [true] && differences.map(\.new) == [false])
    let text = #"{"locked": "b", "gone": 1, "feed.page-size": "x", "feed.video.autoplay": false}"#
    #expect(
      try console.differences(importing: text).map(\.refusal) == [
        "expected Int, found string \"x\"", nil, "no flag has the key “gone”",
        "the flag is locked: it can be changed only in code",
      ])
    #expect(try console.importOverrides(text) == 1)
    #expect(console.row("feed.video.autoplay")?.value == false)
    #expect(try console.undo() == "importing 1 override")
    #expect(console.row("feed.video.autoplay")?.value == true)
  }

  @Test(
    "What is no set of overrides is refused",
    arguments: [
      ("[1]", "expected an object of values by keys, found array"),
      ("{", "line 1, column 2: expected a name in quotation marks, found the end of the document"),
      (#"{"version": 1, "overrides": 3}"#, "overrides: expected an object of values by keys, found integer"),
    ])
  func refuses(text: String, message: String) throws {
    let console = try ConsoleFixture().console
    let error = #expect(throws: FlagError.self) { try console.importOverrides(text) }
    #expect(error?.message == message)
  }

  @Test("Importing is refused where the app does not allow it")
  func isSwitchedOff() throws {
    let console = try ConsoleFixture(options: { $0.allowsImport = false }).console
    #expect(throws: FlagError(.general, "importing is turned off in this console")) {
      try console.importOverrides("{}")
    }
  }
}

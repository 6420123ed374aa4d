import FlagConsole
import FlagDefinitions
import FlagDomain
import Testing

@Suite("Taking a saved change back")
struct UndoTests {
  @Test("The old text of the changed flags comes back, to the byte, and what others changed elsewhere stays")
  func undoes() async throws {
    let fixture = try ConsoleFixture()
    let console = fixture.console
    #expect(throws: FlagError.self) { try console.undoingSavedChange() }
    try await console.save(ReviewTests.replacing(console, "ENABLED", "DISABLED"))
    #expect(console.savedChange?.keys == ["new-profile"])
    let session = console.session()
    #expect(session.savedChange == nil, "each person undoes what that person saved")
    var autoplay = try session.draft(of: "feed.video.autoplay")
    autoplay.isEnabled = true
    try await session.save(autoplay)
    let (change, changedAgain) = try console.undoingSavedChange()
    #expect(changedAgain.isEmpty && change.title == "undid: edited")
    #expect(try console.review(change).flags.map(\.key) == ["new-profile"])
    try await console.save(change)
    let text = fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) }
    #expect(
      text == Shop.document.replacing(#"{"state": "DISABLED", "variants""#, with: #"{"state": "ENABLED", "variants""#))
    #expect(try console.undoingSavedChange().change.title == "edited", "and the way back is a change, too")
  }

  @Test("If others changed the flag again, that is said before it is taken back, too")
  func saysChangedAgain() async throws {
    let fixture = try ConsoleFixture()
    try await fixture.console.save(ReviewTests.replacing(fixture.console, "ENABLED", "DISABLED"))
    var draft = try fixture.console.session().draft(of: "new-profile")
    draft.defaultVariant = "on"
    try await fixture.console.session().save(draft)
    #expect(try fixture.console.undoingSavedChange().changedAgain == ["new-profile"])
  }

  @Test("A flag that was deleted comes back in its place, a new one goes, and shared rules are as they were")
  func undoesMore() async throws {
    let rule = #"{"if": [{"$ref": "beta"}, "on", null]}"#
    for change in [
      ("\n  " + #""b": {"state": "ENABLED", "variants": {"on": true}, "targeting": \#(rule)},"#, ""),
      ("  \"c\"", "  \"d\": {\"state\": \"ENABLED\", \"variants\": {\"on\": true}},\n  \"c\""),
      (#"["beta""#, #"["staff""#),
    ] {
      let fixture = try ConsoleFixture(document: ReviewTests.shared)
      let console = fixture.console
      let edit = DocumentChange("edited", of: [], over: try console.storedDefinitions.version) { text in
        Array(String(decoding: text, as: UTF8.self).replacing(change.0, with: change.1).utf8)
      }
      let saved = try await console.save(edit)
      #expect(saved.text != Array(ReviewTests.shared.utf8))
      try await console.save(console.undoingSavedChange().change)
      #expect(fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == ReviewTests.shared)
    }
  }
}

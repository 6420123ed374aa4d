import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import Testing

@Suite("Taking a saved change back")
struct UndoTests {
  @Test("The old text of the changed flags comes back, to the byte, and what others changed elsewhere stays")
  func undoes() async throws {
    let fixture = try ConsoleFixture()
    let editor = fixture.editor
    #expect(throws: FlagError.self) { try editor.undoingSavedChange() }
    try await editor.save(ReviewTests.replacing(editor, "ENABLED", "DISABLED"))
    #expect(editor.savedChange?.keys == ["new-profile"])
    let session = try fixture.console.session().existingEditor
    #expect(session.savedChange == nil, "each person undoes what that person saved")
    var autoplay = try session.draft(of: "feed.video.autoplay")
    autoplay.isEnabled = true
    try await session.save(autoplay)
    let change = try editor.undoingSavedChange()
    #expect(change.title == "undid: edited")
    #expect(try editor.review(change).flags.map(\.key) == ["new-profile"])
    try await editor.save(change)
    let text = fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) }
    #expect(
      text == Shop.document.replacing(#"{"state": "DISABLED", "variants""#, with: #"{"state": "ENABLED", "variants""#))
    #expect(try editor.undoingSavedChange().title == "edited", "and the way back is a change, too")
  }

  @Test("If others changed the flag again, the review of the way back shows what it takes back of that, too")
  func showsChangedAgain() async throws {
    let fixture = try ConsoleFixture()
    try await fixture.editor.save(ReviewTests.replacing(fixture.editor, "ENABLED", "DISABLED"))
    var draft = try fixture.console.session().existingEditor.draft(of: "new-profile")
    draft.defaultVariant = "on"
    try await fixture.console.session().existingEditor.save(draft)
    let review = try fixture.editor.review(fixture.editor.undoingSavedChange())
    #expect(review.flags.map(\.words) == [["switched on", "default variant on to off"]])
  }

  @Test("A shared rule that others added meanwhile stays")
  func keepsSharedRules() async throws {
    func edit(_ editor: DefinitionEditor, _ old: String, _ new: String) throws -> DocumentChange {
      try DocumentChange("edited", of: [], over: editor.storedDefinitions.version) { text in
        Array(String(decoding: text, as: UTF8.self).replacing(old, with: new).utf8)
      }
    }
    let fixture = try ConsoleFixture(document: ReviewTests.shared)
    let (editor, other) = (fixture.editor, try fixture.console.session().existingEditor)
    let start = #"{"$evaluators": {"#
    let adding = try edit(editor, start, start + #""mine": {"var": "a"}, "#)
    #expect(try editor.review(adding).otherWords == ["shared rule mine added"])
    try await editor.save(adding)
    try await other.save(edit(other, start, start + #""theirs": {"var": "b"}, "#))
    let change = try editor.undoingSavedChange()
    #expect(try editor.review(change).otherWords == ["shared rule mine removed"])
    try await editor.save(change)
    let text = fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) }
    #expect(text == ReviewTests.shared.replacing(start, with: start + #""theirs": {"var": "b"}, "#))
  }

  @Test("The first shared rule of a document goes with its section")
  func removesSection() async throws {
    let document = #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}}}}"#
    let fixture = try ConsoleFixture(document: document)
    let version = try fixture.editor.storedDefinitions.version
    try await fixture.editor.save(
      DocumentChange("edited", of: [], over: version) { text in
        text.dropLast() + Array(#", "$evaluators": {"r": {"var": "a"}}}"#.utf8)
      })
    try await fixture.editor.save(fixture.editor.undoingSavedChange())
    #expect(fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == document)
  }

  @Test("Undone at once, a document is as it was, whatever was changed in it")
  func restoresLayout() async throws {
    let rules = "\"$evaluators\": {\n  \"a\": {\"var\": \"a\"},\n  \"b\": {\"var\": \"b\"}},\n"
    let flag = #""flags": {"f": {"state": "ENABLED", "variants": {"on": true}}}}"#
    for (old, new) in [("{\(rules)\(flag)", "{\(flag)"), ("{\(flag)", "{\(rules)\(flag)")] {
      let fixture = try ConsoleFixture(document: old)
      let version = try fixture.editor.storedDefinitions.version
      try await fixture.editor.save(DocumentChange("edited", of: [], over: version) { _ in Array(new.utf8) })
      try await fixture.editor.save(fixture.editor.undoingSavedChange())
      #expect(fixture.definitions.current?.text == Array(old.utf8))
    }
  }

  @Test("Rules come back in their order, not that of names, beside a change of others; an empty place for rules stays")
  func restoresOrder() async throws {
    let flag = #""flags": {"f": {"state": "ENABLED", "variants": {"on": true}}}}"#
    let rules = #"{"$evaluators": {"a": {"var": "a"}, "b": {"var": "b"}, "c": {"var": "c"}}, \#(flag)"#
    for (old, new, rest) in [
      (rules, #"{"$evaluators": {"b": {"var": "b"}}, \#(flag)"#, ["a", "b", "c"]),
      (rules, "{\(flag)", ["a", "b", "c"]),
      (
        #"{"$evaluators": {"b": {"var": "b"}, "c": {"var": "c"}, "a": {"var": "a"}}, \#(flag)"#,
        #"{"$evaluators": {"b": {"var": "b"}}, \#(flag)"#, ["b", "c", "a"]
      ),
      (#"{"$evaluators": {}, \#(flag)"#, rules, []),
    ] {
      let fixture = try ConsoleFixture(document: old)
      let (editor, other) = (fixture.editor, try fixture.console.session().existingEditor)
      let version = try editor.storedDefinitions.version
      try await editor.save(DocumentChange("edited", of: [], over: version) { _ in Array(new.utf8) })
      var draft = try other.draft(of: "f")
      draft.isEnabled = false
      try await other.save(draft)
      try await editor.save(editor.undoingSavedChange())
      let text = String(decoding: try #require(fixture.definitions.current?.text), as: UTF8.self)
      #expect(text.contains("DISABLED") && text.contains("$evaluators"))
      #expect(text.matches(of: /"([abc])": \{"var"/).map { String($0.1) } == rest)
    }
  }

  @Test("A document with a name that is no text is edited, and keeps it")
  func keepsOddNames() async throws {
    let document = #"{"flags": {"\ud800": 1, "a": {"state": "ENABLED", "variants": {"on": true}}}, "\ud800": 2}"#
    let fixture = try ConsoleFixture(document: document)
    var draft = try fixture.editor.draft(of: "a")
    draft.isEnabled = false
    try await fixture.editor.save(draft)
    try await fixture.editor.save(fixture.editor.undoingSavedChange())
    #expect(fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == document)
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
      let editor = fixture.editor
      let edit = DocumentChange("edited", of: [], over: try editor.storedDefinitions.version) { text in
        Array(String(decoding: text, as: UTF8.self).replacing(change.0, with: change.1).utf8)
      }
      let saved = try await editor.save(edit)
      #expect(saved.text != Array(ReviewTests.shared.utf8))
      try await editor.save(editor.undoingSavedChange())
      #expect(fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == ReviewTests.shared)
    }
  }
}

import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagPublishing
import FlagReview
import Foundation
import TestSupport
import Testing

@Suite("The effect of saving a definition")
struct EffectTests {
  @Test("A revision is reviewed as its store assigns users to shares", arguments: Bucketing.allCases)
  func reviewsShares(bucketing: Bucketing) async throws {
    func document(_ rule: String) -> String {
      #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "b", "targeting": \#(rule)}}}"#
    }
    let texts = [document("{}"), document(#"{"if": [true, {"fractional": [["a", 50], ["b", 50]]}]}"#)]
    let store = InMemoryPublishedStore(format: .inHouse(bucketing: bucketing)) { 0 }
    for text in texts {
      let head = try await store.head()
      _ = try await store.publish(
        Array(text.utf8), expecting: head, percent: nil, note: PublicationNote(author: "ci", reason: ""))
    }
    let users = (0..<101).map { ["targetingKey": FlagValue.string("user-\($0)")] }
    let fixture = try ConsoleFixture(
      editing: { $0.ownUsers = users },
      editor: { _, options in DefinitionEditor(store, publishing: store, options: options) })
    let effect = try await fixture.editor.review(ofRevision: 2).changes.first?.effect
    let new = try FlagDocument(parsing: Data(texts[1].utf8), bucketing: bucketing)
    let moved = try users.count { try new.evaluate("f", in: EvaluationContext(attributes: $0), at: 0)?.variant == "a" }
    #expect(
      effect?.users == 101 && effect.map { $0.count(of: $0.share) } == moved, "\(moved), \(String(describing: effect))")
  }

  @Test("Users who were tried are listed by name, the current one first, and others by an example of each kind")
  func saysWhoWasAsked() throws {
    let fixture = try ConsoleFixture(options: { $0.testUsers = [FlagUser(id: "bob", countryCode: "us")] })
    let (console, editor) = (fixture.console, fixture.editor)
    try console.signIn(FlagUser(id: "ana", countryCode: "es", attributes: ["age": 30]))
    let review = try #require(try editor.review(Self.edited(editor), for: console.users).flags.first)
    #expect(review.tried.map { $0.user?.id } == ["ana", "bob"] && review.tried.map(\.isCurrent) == [true, false])
    #expect(review.tried.map { "\($0.old) \($0.new)" } == ["on off", "off off"])
    #expect(review.effect.users == 0 && review.effect.affectsUsers == true && !review.effect.examples.isEmpty)
    try console.signIn(nil)
    let visitor = try editor.review(Self.edited(editor), for: console.users)
    #expect(visitor.flags[0].tried.map { $0.user?.id } == [nil, "bob", "ana"])
  }

  @Test("Each of the own users is asked")
  func asksOwnUsers() throws {
    let named: [[String: FlagValue]] = [
      ["targetingKey": "a", "countryCode": "es", "age": 20], ["targetingKey": "b"], ["targetingKey": "c"],
    ]
    let editor = try ConsoleFixture(editing: { $0.ownUsers = named }).editor
    let effect = try #require(try editor.review(Self.edited(editor)).flags.first?.effect)
    #expect(effect.users == 3 && effect.count(of: effect.share) == 1)
  }

  /// A draft that takes the flag from those whom the rule names.
  private static func edited(_ editor: DefinitionEditor) throws -> DefinitionDraft {
    var draft = try editor.draft(of: "new-profile")
    draft.rule = draft.rule.replacing("\"on\",\n", with: "\"off\",\n")
    return draft
  }
}

@Suite("What saving leaves as it is")
struct UntouchedTests {
  @Test(
    "A draft that was not edited is not written, however malformed the flag is",
    arguments: [
      #""state": "enabled", "variants": {"a": true}"#, #""variants": {"a": true}"#, #""state": 1, "variants": {}"#,
      #""state": "ENABLED", "variants": {"a": true}, "defaultVariant": 3, "targeting": null"#,
      #""state": "ENABLED", "variants": {"a": true}, "targeting": 7"#,
    ])
  func keeps(flag: String) async throws {
    let text = #"{"flags": {"f": {\#(flag)}, "new-profile": {"state": "ENABLED", "variants": {"on": true}}}}"#
    let fixture = try ConsoleFixture(document: text)
    let draft = try fixture.editor.draft(of: "f")
    #expect(String(decoding: try draft.text(in: Array(text.utf8)), as: UTF8.self) == text)
    try await fixture.editor.save(draft)
    #expect(fixture.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == text)
  }

  @Test("A rule that a browser sent back with its line ends is the same rule, and an edited one has the file's")
  func keepsLineEnds() throws {
    let stored = try StoredDefinitions(parsing: Array(Shop.document.utf8))
    var draft = try DefinitionDraft("new-profile", in: stored)
    draft.rule = draft.rule.replacing("\n", with: "\r\n")
    #expect(try draft.text(in: stored.text) == stored.text)
    draft.rule = draft.rule.replacing("18", with: "21")
    let expected = Shop.document.replacing("18", with: "21")
    #expect(String(decoding: try draft.text(in: stored.text), as: UTF8.self) == expected)
  }

  @Test("A document that cannot be read is said with its error, and nobody is said to have saved")
  func saysWhatIsBroken() async throws {
    let fixture = try ConsoleFixture()
    var draft = try fixture.editor.draft(of: "new-profile")
    draft.isEnabled = false
    fixture.definitions.set("{")
    #expect(fixture.editor.problem?.message.contains("1:2") == true)
    let error = await #expect(throws: FlagError.self) { try await fixture.editor.save(draft) }
    #expect(error?.message.hasPrefix("Not saved, because what is there now cannot be read.") == true)
    fixture.definitions.set(Shop.document)
    #expect(fixture.editor.problem == nil)
    try await fixture.editor.save(draft)
    #expect(try fixture.editor.draft(of: "new-profile").isEnabled == false)
  }
}

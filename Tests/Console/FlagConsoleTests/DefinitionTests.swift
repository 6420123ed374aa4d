import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview
import Foundation
import TestSupport
import Testing

@Suite("Definitions in a console")
struct DefinitionTests {
  @Test("An explanation says which condition was looked at, which of its parts held, and which share")
  func explains() throws {
    let console = try ConsoleFixture().console
    try console.signIn(FlagUser(id: "ana", countryCode: "es", attributes: ["age": 12]))
    let explanation = try #require(console.explanation(of: "new-profile"))
    var lines: [String] = []
    func add(_ step: RuleExplanation.Step, _ indent: String) {
      let outcome =
        switch step.outcome {
        case .condition(let holds): holds ? "yes" : "no"
        case .value(let value): "\(value)"
        case .failed: "failed"
        }
      lines.append("\(indent)\(step.phrase): \(outcome)\(step.share.map { " (\($0))" } ?? "")")
      for part in step.parts { add(part, indent + "  ") }
    }
    for step in explanation.steps { add(step, "") }
    #expect(
      lines == [
        "The first condition that holds decides: \"off\"", "  All of these hold: no",
        "    country is one of es, pt: yes", "    age is at least 18: no",
        "  10 % get on, 90 % get off: \"off\" (bucket 47 of 100)",
      ])
  }

  @Test(
    "A rule is said in words",
    arguments: [
      (#"{"==": [{"var": "appVersion"}, "1.2"]}"#, "app version is 1.2"),
      (#"{"in": ["beta", {"var": "segments"}]}"#, "segments include beta"),
      (#"{"!": [{"<": [1, {"var": "age"}, 9]}]}"#, "not: age is between 1 and 9"),
      (#"{"sem_ver": [{"var": "version"}, ">=", "2.0.0"]}"#, "version is at least version 2.0.0"),
      (#"{"starts_with": [{"var": "targetingKey"}, "a"]}"#, "user id starts with a"),
      (#"{"if": [{"var": "paid"}, "a", "b"]}"#, "if paid, then a, else b"),
      (#"{"fractional": [["a", 1], ["b", 2]]}"#, "33.3 % get a, 66.7 % get b"),
      (#"{"map": [{"var": "x"}, 1]}"#, #"{"map":[{"var":"x"},1]}"#),
    ])
  func speaks(rule: String, words: String) throws {
    let document = #"{"flags":{"f":{"state":"ENABLED","variants":{"a":true},"defaultVariant":"a","targeting":"#
    let parsed = try FlagDocument(parsing: Data("\(document)\(rule)}}}".utf8))
    let step = RuleExplanation(parsed.explain("f", in: EvaluationContext(), at: 0), at: 0).steps.first
    let isHeading = step.map { !$0.parts.isEmpty } ?? false
    #expect(isHeading || step?.phrase == words)
  }

  @Test("A draft changes what it names, and leaves the rest of the document as it is written")
  func edits() throws {
    let stored = try StoredDefinitions(parsing: Array(Shop.document.utf8))
    var draft = try DefinitionDraft("new-profile", in: stored)
    #expect(draft.isEnabled == true && draft.defaultVariant == "off" && draft.variants == ["off", "on"])
    #expect(try draft.text(in: stored.text) == stored.text)
    draft.isEnabled = false
    draft.defaultVariant = nil
    try draft.setWeights([25, 75], ofSplit: 0)
    let expected = Shop.document.replacing("[\"on\", 10], [\"off\", 90]", with: "[\"on\", 25], [\"off\", 75]")
      .replacing("\"off\",\n    \"targ", with: "null,\n    \"targ").replacing("ENABLED", with: "DISABLED")
    #expect(String(decoding: try draft.text(in: stored.text), as: UTF8.self) == expected)
  }

  @Test("A flag without a rule, a default or weights gets them where they belong")
  func inserts() throws {
    let text = #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1, "b": 2}}}}"#
    let stored = try StoredDefinitions(parsing: Array(text.utf8))
    var draft = try DefinitionDraft("f", in: stored)
    #expect(draft.rule.isEmpty && draft.splits.isEmpty && draft.defaultVariant == nil)
    draft.rule = #"{"fractional": [["a"], ["b"]]}"#
    draft.defaultVariant = "a"
    try draft.setWeights([1, 3], ofSplit: 0)
    #expect(draft.rule == #"{"fractional": [["a"], ["b", 3]]}"#)
    #expect(
      String(decoding: try draft.text(in: stored.text), as: UTF8.self)
        == #"{"flags": {"f": {"defaultVariant": "a", "targeting": {"fractional": [["a"], ["b", 3]]}, "#
        + #""state": "ENABLED", "variants": {"a": 1, "b": 2}}}}"#)
    #expect(throws: FlagError.self) { try draft.setWeights([1], ofSplit: 0) }
  }

  @Test("Weights that no integer holds the sum of are as many as one holds")
  func sumsWeights() throws {
    let stored = try StoredDefinitions(parsing: Array(Shop.document.utf8))
    var draft = try DefinitionDraft("new-profile", in: stored)
    draft.rule = #"{"fractional": [["a", \#(Int.max)], ["b", \#(Int.max)]]}"#
    #expect(draft.splits.map(\.sum) == [.max])
  }

  @Test("A review shows the users that a change affects, with an example of each kind")
  func reviews() throws {
    let editor = try ConsoleFixture().editor
    var draft = try editor.draft(of: "new-profile")
    try draft.setWeights([100, 0], ofSplit: 0)
    let review = try editor.review(draft)
    let effect = try #require(review.flags.first?.effect)
    #expect(review.isServable && effect.examples.contains { "\($0.old) \($0.new)" == "off on" })
    let untouched = try editor.review(editor.draft(of: "new-profile")).flags.first?.effect
    #expect(untouched?.isExact == true && untouched?.share == 0)
  }

  @Test(
    "A rule that cannot be is diagnosed, in its own lines where it is not JSON",
    arguments: [
      ("{\n  \"if\": ]", "line 2, column 9: expected a value, found \"]\""),
      ("3", "line 1, column 1: expected a rule, which is an object, found integer"),
    ])
  func diagnoses(rule: String, message: String) throws {
    let editor = try ConsoleFixture().editor
    var draft = try editor.draft(of: "new-profile")
    draft.rule = rule
    let review = try editor.review(draft)
    #expect(review.problem?.message == message && !review.isServable && review.flags.isEmpty)
  }

  @Test("A rule that is JSON and cannot be served is diagnosed by path")
  func diagnosesOperators() throws {
    let editor = try ConsoleFixture().editor
    var draft = try editor.draft(of: "new-profile")
    draft.rule = #"{"nope": [1]}"#
    let review = try editor.review(draft)
    #expect(!review.isServable)
    #expect(review.diagnostics.map(\.path) == ["$.flags.new-profile.targeting"])
  }

  @Test("Saving is compare-and-set: the second writer gets a conflict, and changes nothing")
  func saves() async throws {
    let fixture = try ConsoleFixture()
    var (mine, theirs) = (try fixture.editor.draft(of: "new-profile"), try fixture.editor.draft(of: "new-profile"))
    mine.isEnabled = false
    theirs.defaultVariant = "on"
    let saved = try await fixture.editor.save(mine)
    #expect(fixture.definitions.current?.version == saved.version)
    let conflict = await #expect(throws: DefinitionStoreError.self) { try await fixture.editor.save(theirs) }
    #expect(conflict?.code == .conflict && fixture.definitions.current?.version == saved.version)
    var broken = try fixture.editor.draft(of: "new-profile")
    broken.rule = #"{"nope": [1]}"#
    let invalid = await #expect(throws: DefinitionStoreError.self) { try await fixture.editor.save(broken) }
    #expect(invalid?.code == .invalid)
  }

  @Test("Definitions of another format are listed and explained, and cannot be edited")
  func showsOtherFormats() async throws {
    let store = try InMemoryDefinitionStore("new-profile = on\nbroken = perhaps", format: LineFormat())
    let fixture = try ConsoleFixture(editor: { _, _ in DefinitionEditor(store) })
    let detail = try #require(fixture.console.detail("new-profile"))
    #expect(detail.definition?.explanation == "There is no rule: everyone gets “on”.")
    #expect(detail.definition?.isEditable != true)
    let error = #expect(throws: FlagError.self) { try fixture.editor.draft(of: "new-profile") }
    #expect(
      error?.message
        == "this console cannot edit the definitions: expected definitions in the in-house format, found the format lines"
    )
    let resource = try InMemoryDefinitionStore(#"{"spec": {"flagSpec": \#(Shop.document)}}"#)
    let reading = try ConsoleFixture(editor: { _, _ in DefinitionEditor(resource) })
    let read = try #require(reading.console.detail("new-profile"))
    #expect(read.definition?.explanation != nil && read.definition?.isEditable == false)
    let refusal = #expect(throws: FlagError.self) { try reading.editor.draft(of: "new-profile") }
    #expect(refusal?.message == "this console cannot edit the definitions: they are in a resource of Kubernetes")
    let document = try #require(store.current?.document)
    #expect(
      FlagCatalog.catalogs(of: document, named: "lines").flatMap(\.flags).map(\.key) == ["new-profile", "broken"])
  }

  @Test("The flags of a document make a catalog: types of variants, groups of keys")
  func makesCatalog() throws {
    let document = try FlagDocument(
      parsing: Data(
        #"""
        {"flags": {
          "a.b.on": {"state": "ENABLED", "variants": {"x": true}, "metadata": {"owner": "me", "description": "D"}},
          "a.n": {"state": "ENABLED", "variants": {"x": 1, "y": 2}}, "a.f": {"state": "ENABLED", "variants": {"x": 1.5}},
          "t": {"state": "ENABLED", "variants": {"x": "s"}}, "o": {"state": "ENABLED", "variants": {"x": {}}},
          "white space": {"state": "ENABLED", "variants": {"x": "s"}}
        }}
        """#.utf8))
    let catalogs = FlagCatalog.catalogs(of: document, named: "flags.json")
    #expect(
      catalogs.flatMap(\.entries).map { "\($0.groups.joined(separator: "/")) \($0.flag.key) \($0.flag.dataType.name)" }
        == [
          "flags.json t String", "flags.json o FlagValue", "flags.json white space String", "a a.n Int", "a a.f Double",
          "a/b a.b.on Bool",
        ])
    let last = catalogs.last?.flags.last?.metadata
    #expect(last?.owner == "me" && last?.description == "D")
  }
}

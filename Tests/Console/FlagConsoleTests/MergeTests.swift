import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagJSON
import FlagSupport
import TestSupport
import Testing

@Suite("Two people who edit at once")
struct MergeTests {
  @Test(
    "Edits of parts that do not touch are both taken; those of one part are a conflict, of which mine is taken first",
    arguments: [
      ("ENABLED", "DISABLED", #""off": false"#, #""off": 0"#, [], []),
      (#"["es"]"#, #"["es", "pt"]"#, #"["us"]"#, #"["ca"]"#, [], []),
      (#"["es"]"#, #"["es", "pt"]"#, "90", "80", [], []),
      (#"["es"]"#, #"["es", "pt"]"#, #"["es"]]}, "on""#, #"["es"]]}, "off""#, ["rule, branch 1"], ["rule, branch 1"]),
      ("90", "50", "90", "70", ["rule, otherwise"], ["rule, otherwise"]), ("90", "70", "90", "70", [], []),
      ("ENABLED", "DISABLED", "ENABLED", "off", ["state"], ["state"]),
      (#""on": true"#, #""on": 1"#, #""on": true"#, #""on": 2"#, ["variant on"], ["variant on"]),
    ] as [(String, String, String, String, [String], [String])])
  func merges(
    old: String, mine: String, other: String, theirs: String, conflicts: [String], parts: [String]
  ) throws {
    let (my, their) = (Self.base.replacing(old, with: mine), Self.base.replacing(other, with: theirs))
    let merge = try DefinitionMerge(base: Self.base, mine: my, theirs: their)
    #expect(merge.conflicts.map(\.part) == conflicts)
    if conflicts.isEmpty {
      #expect(merge.text == their.replacing(old, with: mine))
    } else {
      #expect(merge.text == my)
      let ids = Set(merge.conflicts.map(\.id))
      #expect(try DefinitionMerge(base: Self.base, mine: my, theirs: their, takingTheirsOf: ids).text == their)
    }
  }

  @Test("Where one of them moved a branch, the rule is one part, so that no branch is lost or there twice")
  func keepsMovedBranches() throws {
    func flag(_ names: [String]) -> String {
      let branches = names.map { #"{"var": "\#($0)"}, "\#($0)""# }.joined(separator: ", ")
      return #"{"targeting": {"if": [\#(branches)]}}"#
    }
    let (mine, theirs) = (flag(["b", "a", "c"]), flag(["a", "c", "b"]))
    let merge = try DefinitionMerge(base: flag(["a", "b", "c"]), mine: mine, theirs: theirs)
    #expect(merge.conflicts.map(\.part) == ["rule"] && merge.text == mine)
    let ids = Set(merge.conflicts.map(\.id))
    let taken = try DefinitionMerge(base: flag(["a", "b", "c"]), mine: mine, theirs: theirs, takingTheirsOf: ids)
    #expect(taken.text == theirs)
  }

  @Test("A save whose flag nobody else changed is saved over the changed document, and any other is seen first")
  func rebases() async throws {
    let fixture = try ConsoleFixture()
    let (mine, theirs) = try (fixture.console.session().existingEditor, fixture.console.session().existingEditor)
    var draft = try mine.draft(of: "new-profile")
    draft.isEnabled = false
    let change = DocumentChange(draft)
    let seen = try mine.review(change).fingerprint
    var autoplay = try theirs.draft(of: "feed.video.autoplay")
    autoplay.isEnabled = true
    try await theirs.save(autoplay)
    #expect(try await mine.save(change, seen: seen) != nil)
    #expect(try mine.draft(of: "feed.video.autoplay").isEnabled == true)
    var again = try mine.draft(of: "new-profile")
    again.defaultVariant = "on"
    let other = try mine.review(again).fingerprint
    var same = try theirs.draft(of: "new-profile")
    same.isEnabled = true
    try await theirs.save(same)
    #expect(try await mine.save(DocumentChange(again), seen: other) == nil)
  }

  @Test("Of 500 random edits of one flag by each of two people, nothing is lost in silence")
  func losesNothing() async throws {
    let fixture = try ConsoleFixture(document: #"{"flags": {"f": \#(Self.base)}}"#)
    var generator = SplitMix64(state: 30)
    var people = try (0..<2).map { _ in try Person(fixture.console.session().existingEditor) }
    var (saved, told, merged) = (0, 0, 0)
    for _ in 0..<1000 {
      let index = Int.random(in: 0...1, using: &generator)
      try people[index].edit(&generator)
      guard Bool.random(using: &generator) else { continue }
      let before = try Person.values(fixture.editor)
      var outcome = try await people[index].save()
      if case .told = outcome {
        told += 1
        outcome = try await people[index].save()  // having looked at both
      }
      switch outcome {
      case .saved(let edited):
        saved += 1
        let after = try Person.values(fixture.editor)
        #expect(edited.allSatisfy { after[$0.key] == $0.value }, "all that was edited is saved")
        // What the other one saved stays, unless this one edited the same part: and was told of both.
        #expect(before.allSatisfy { edited[$0.key] != nil || after[$0.key] == $0.value })
      case .merged: merged += 1
      case .told: Issue.record("what was told can be saved")
      }
    }
    #expect(saved > 100 && told > 20 && merged > 20, "\(saved) \(told) \(merged)")
  }

  static let base = """
    {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off", "targeting": {"if": [
      {"in": [{"var": "countryCode"}, ["es"]]}, "on", {"in": [{"var": "countryCode"}, ["us"]]}, "off",
      {"fractional": [["on", 10], ["off", 90]]}]}}
    """
}

/// A person with an editor open, who saves only what was shown.
private struct Person {
  enum Outcome { case saved([String: String]), merged, told }

  let editor: DefinitionEditor
  private var draft: DefinitionDraft
  private var base: String
  private var taken: Set<String> = []
  private var seen: String?

  init(_ editor: DefinitionEditor) throws {
    self.editor = editor
    draft = try editor.draft(of: "f")
    base = try editor.source(of: "f")
  }

  mutating func edit(_ generator: inout SplitMix64) throws {
    let number = Int.random(in: 0...99, using: &generator)
    defer { seen = nil }
    switch Int.random(in: 0...3, using: &generator) {
    case 0:
      draft.isEnabled = number % 2 == 0
    case 1:
      draft.defaultVariant = number % 2 == 0 ? "on" : "off"
    case 2:
      draft.rule = draft.rule.replacing(/\["es[^"]*"\]/, with: "[\"es\(number)\"]")
    default:
      draft.rule = draft.rule.replacing(/\["us[^"]*"\]/, with: "[\"us\(number)\"]")
    }
  }

  mutating func save() async throws -> Outcome {
    let edited = try editor.edited(draft, base: base, takingTheirsOf: taken)
    if let others = edited.others, others.conflicts.isEmpty {
      (draft, base, taken) = (edited.draft, edited.base, [])
      return .merged
    }
    let fingerprint = try editor.fingerprint(of: edited.change)
    if edited.others != nil, seen != fingerprint {
      seen = fingerprint
      return .told
    }
    guard try await editor.save(edited.change, seen: fingerprint) != nil else { return .told }
    let before = Self.values(try DefinitionDraft("f", over: base, version: draft.version))
    let saved = Self.values(draft).filter { before[$0.key] != $0.value }
    (draft, base, taken, seen) = (try editor.draft(of: "f"), try editor.source(of: "f"), [], nil)
    return .saved(saved)
  }

  /// The four parts that people edit.
  static func values(_ editor: DefinitionEditor) throws -> [String: String] { values(try editor.draft(of: "f")) }

  private static func values(_ draft: DefinitionDraft) -> [String: String] {
    func list(_ country: String) -> String { draft.rule.split(separator: "\"\(country)").dropFirst().joined() }
    return [
      "state": "\(draft.isEnabled as Bool?)", "default": draft.defaultVariant ?? "",
      "es": String(list("es").prefix { $0 != "\"" }), "us": String(list("us").prefix { $0 != "\"" }),
    ]
  }
}

import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagPublishing
import FlagSupport
import TestSupport
import Testing

@Suite("The review of a change")
struct ReviewTests {
  @Test(
    "A difference is said in words",
    arguments: [
      (#""es", "pt""#, #""es", "pt", "fr", "it""#, ["fr and it added to country"]),
      (#""es", "pt""#, #""pt", "de""#, ["de added to country", "es removed from country"]),
      (#""es", "pt""#, #""pt", "es""#, ["the values of country in another order"]),
      (#"["on", 10], ["off", 90]"#, #"["on", 50], ["off", 50]"#, ["on from 10 % to 50 %", "off from 90 % to 50 %"]),
      (
        #"["on", 10], ["off", 90]"#, #"["on", 1001], ["off", 8999]"#,
        ["on from 10 % to 10.01 %", "off from 90 % to 89.99 %"]
      ), (#"["on", 10], ["off", 90]"#, #"["on", 1], ["off", 9]"#, ["the shares are written differently"]),
      (
        #"{"fractional": [["on", 10], ["off", 90]]}"#, #""on""#,
        ["otherwise: on instead of 10 % get on, 90 % get off"]
      ),
      ("18", "21", ["age is at least 21 instead of age is at least 18"]),
      (#", {">=": [{"var": "age"}, 18]}"#, "", ["condition removed: age is at least 18"]),
      (
        #"18]}]}, "on","#, #"18]}]}, "off","#, ["if country is one of es, pt and age is at least 18: off instead of on"]
      ),
      (#""ENABLED""#, #""DISABLED""#, ["switched off"]),
      (#""defaultVariant": "off""#, #""defaultVariant": "on""#, ["default variant off to on"]),
      (#""off": false}"#, #""off": false, "blue": true}"#, ["variant blue added: true"]),
      (#""state": "ENABLED""#, #""state":  "ENABLED""#, ["only the way it is written"]),
      (#""state": "ENABLED""#, #""state": "ENABLED", "metadata": {"owner": "a"}"#, ["owner added: a"]),
    ] as [(String, String, [String])])
  func speaks(old: String, new: String, words: [String]) throws {
    let editor = try ConsoleFixture().editor
    let review = try editor.review(Self.replacing(editor, old, new))
    #expect(review.flags.map(\.words) == [words] && review.flags[0].key == "new-profile")
  }

  @Test("A rule that comes, goes, or becomes another one is said as a whole, and a branch in its place")
  func speaksOfRules() throws {
    let editor = try ConsoleFixture().editor
    func words(_ edit: (inout DefinitionDraft) -> Void) throws -> [String] {
      var draft = try editor.draft(of: "new-profile")
      edit(&draft)
      return try editor.review(draft).flags.first?.words ?? []
    }
    #expect(try words { $0.rule = "" }.first?.hasPrefix("rule removed: if country") == true)
    #expect(
      try words { $0.rule = #"{"fractional": [["on", 1], ["off", 1]]}"# }.first?.hasPrefix(
        "50 % get on, 50 % get off instead of if country") == true)
    let added = try words { draft in
      draft.rule = draft.rule.replacing("\"if\": [", with: "\"if\": [{\"!!\": [{\"var\": \"paid\"}]}, \"off\", ")
    }
    #expect(added == ["added: if paid is there, then off"])
    func chain(_ names: String...) -> String {
      #"{"if": [\#(names.map { #"{"var": "\#($0)"}, "on""# }.joined(separator: ", "))]}"#
    }
    let flag = #"{"state": "ENABLED", "variants": {"on": true, "off": false}, "targeting": \#(chain("a", "b", "c"))}"#
    let chained = try ConsoleFixture(document: #"{"flags": {"new-profile": \#(flag)}}"#).editor
    for (rule, moved) in [
      (chain("c", "a"), ["removed: if b, then on", "the branches in another order"]),
      (chain("b", "a", "c"), ["the branches in another order"]),
      (
        chain("a", "b", "c").replacing("\"on\"", with: "\"off\""),
        ["if a: off instead of on"] + ["b", "c"].map { "if \($0): off instead of on" }
      ), (chain("a", "x", "c"), ["x instead of b"]),
    ] {
      var draft = try chained.draft(of: "new-profile")
      draft.rule = rule
      #expect(try chained.review(draft).flags.first?.words == moved)
    }
    var autoplay = try editor.draft(of: "feed.video.autoplay")
    autoplay.rule = #"{"if": [{"var": "paid"}, "on", null]}"#
    #expect(try editor.review(autoplay).flags[0].words == ["rule added: if paid, then on, else the default variant"])
  }

  @Test("A change of a shared rule is said of each flag that it changes, and that they were not meant")
  func saysOthers() throws {
    let editor = try ConsoleFixture(document: Self.shared).editor
    let change = try DocumentChange("edited beta", of: [], over: editor.storedDefinitions.version) { text in
      Array(String(decoding: text, as: UTF8.self).replacing(#""in": ["beta""#, with: #""in": ["staff""#).utf8)
    }
    let review = try editor.review(change)
    #expect(review.others.map(\.key) == ["a", "b"] && review.flags.allSatisfy { !$0.isMeant })
    #expect(review.flags[0].words == ["if segments include staff: on instead of on"] || !review.flags[0].words.isEmpty)
  }

  @Test("Lines are those of the definition, with a few around each change, and long ones are laid out")
  func showsLines() throws {
    let editor = try ConsoleFixture().editor
    let lines = try editor.review(Self.replacing(editor, "ENABLED", "DISABLED")).flags[0].lines.lines
    #expect(
      lines.map { "\($0.kind)|\($0.text)" } == [
        "same|{", #"removed|  "state": "ENABLED","#, #"added|  "state": "DISABLED","#,
        #"same|  "variants": {"on": true, "off": false},"#, #"same|  "defaultVariant": "off","#,
        #"same|  "targeting": {"#, "omitted(6)|",
      ])
    let old = (0..<2000).map { "\($0)" }.joined(separator: "\n")
    let all = LineDifference(from: old, to: old.replacing("\n", with: "x\n"))
    #expect(all.lines.count <= LineDifference.maximumLines + 2)
    #expect(LineDifference(from: old, to: old).lines.isEmpty)
  }

  @Test("Lines of random texts are those of the old text and those of the new one, in their order")
  func differs() {
    var generator = SplitMix64(state: 5)
    for _ in 0..<300 {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in "\(Int.random(in: 0...3, using: &generator))" }
      }
      let lines = LineDifference(from: texts[0].joined(separator: "\n"), to: texts[1].joined(separator: "\n")).lines
      if texts[0] == texts[1] { #expect(lines.isEmpty) }
      if lines.isEmpty || lines.contains(where: { if case .omitted = $0.kind { true } else { false } }) { continue }
      #expect(lines.filter { $0.kind != .added }.map(\.text) == texts[0])
      #expect(lines.filter { $0.kind != .removed }.map(\.text) == texts[1])
    }
  }

  @Test("Test users are in the review with their variants before and after, those who move first")
  func showsTestUsers() async throws {
    let users = [
      TestUser(name: "Cara", attributes: ["targetingKey": "c", "countryCode": "us"]),
      TestUser(name: "Ana", attributes: ["targetingKey": "ana", "countryCode": "es", "age": 30]),
    ]
    let store = InMemoryTestUserStore()
    let editor = try ConsoleFixture(editor: { DefinitionEditor($0, testUsers: store, options: $1) }).editor
    try await editor.addTestUsers(users)
    let change = try Self.replacing(editor, #""es", "pt""#, #""pt""#)
    let tested = try editor.review(change).flags[0].testUsers
    #expect(tested.map(\.name) == ["Ana", "Cara"] && tested.map(\.isAffected) == [true, false])
    #expect("\(tested[0].old) \(tested[0].new)" == "on off")
    try await editor.addTestUsers([TestUser(name: "Ana", attributes: [:])])
    #expect(editor.testUsers.map(\.name) == ["Cara", "Ana"] && editor.testUsers[1].attributes.isEmpty)
    try await editor.removeTestUser(named: "Cara")
    #expect(try await editor.importTestUsers(#"{"targetingKey": "d"}"#) == 1)
    #expect(editor.testUsers.map(\.name) == ["Ana", "d"])
    await #expect(throws: FlagError.self) { try await editor.addTestUsers([TestUser(name: " ", attributes: [:])]) }
    await #expect(throws: FlagError.self) {
      try await editor.addTestUsers((0..<1000).map { TestUser(name: "\($0)", attributes: [:]) })
    }
    #expect(editor.testUsers.count == 2)
  }

  static func replacing(_ editor: DefinitionEditor, _ old: String, _ new: String) throws -> DocumentChange {
    DocumentChange("edited", of: ["new-profile"], over: try editor.storedDefinitions.version) { text in
      let text = String(decoding: text, as: UTF8.self)
      guard let range = text.firstRange(of: old) else { return Array(text.utf8) }
      return Array(text.replacingCharacters(in: range, with: new).utf8)
    }
  }

  static let shared = """
    {"$evaluators": {"beta": {"in": ["beta", {"var": "segments"}]}}, "flags": {
      "a": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "beta"}, "on", null]}},
      "b": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "beta"}, "on", null]}},
      "c": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}
    """
}

extension String {
  fileprivate func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    "\(self[..<range.lowerBound])\(new)\(self[range.upperBound...])"
  }
}

import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("Editing a rule by form")
struct RuleFormTests {
  @Test(
    "Each comparison is chosen, and read from the page that it leads to", arguments: EditableRule.Comparison.allCases)
  func choosesComparison(comparison: EditableRule.Comparison) throws {
    let page = try RulePage(#"{"if": [{"==": [{"var": "a"}, "b"]}, "on"]}"#)
    let chosen = page.sending(["comparison-0": comparison.rawValue].merging(Self.typed(comparison)) { $1 })
    // A date is one of the time, unless another attribute is chosen with it.
    let attribute = comparison.input == .date ? "$flagd.timestamp" : "a"
    #expect(chosen.form.problem == nil && chosen.form.problems.isEmpty)
    #expect(try chosen.test() == EditableRule.Test(attribute, comparison, Self.operands(comparison)))
    #expect(chosen.sending([:]).rule == chosen.rule)
    let renamed = chosen.sending(["attribute-0": "level"])
    if comparison.input != .date {
      #expect(try renamed.test()?.attribute == "level" && renamed.test()?.comparison == comparison)
    }
  }

  @Test(
    "Text is a string unless its field says another type, and numbers stay numbers",
    arguments: [
      (#"{"==": [{"var": "a"}, "b"]}"#, ["operand-0": "5"], #"{"==": [{"var": "a"}, "5"]}"#),
      (#"{"==": [{"var": "a"}, "5"]}"#, ["kind-0": "number"], #"{"==": [{"var": "a"}, 5]}"#),
      (#"{"==": [{"var": "a"}, 4]}"#, ["operand-0": "5.5"], #"{"==": [{"var": "a"}, 5.5]}"#),
      (#"{"==": [{"var": "a"}, 4]}"#, ["kind-0": "text"], #"{"==": [{"var": "a"}, "4"]}"#),
      (#"{"==": [{"var": "a"}, true]}"#, ["operand-0": "false"], #"{"==": [{"var": "a"}, false]}"#),
      (#"{"==": [{"var": "a"}, "true"]}"#, ["kind-0": "true or false"], #"{"==": [{"var": "a"}, true]}"#),
      (#"{"in": [{"var": "a"}, [1, 2]]}"#, ["operand-0": "1\r\n3"], #"{"in": [{"var": "a"}, [1, 3]]}"#),
      (#"{"in": [{"var": "a"}, [1, "1", "x"]]}"#, ["operand-0": "1\n1\ny"], #"{"in": [{"var": "a"}, [1, "1", "y"]]}"#),
      (#"{"in": [{"var": "a"}, ["1"]]}"#, ["kind-0": "number"], #"{"in": [{"var": "a"}, [1]]}"#),
      (#"{"in": [{"var": "a"}, ["x", "y"]]}"#, ["operand-0": " y \n\n z"], #"{"in": [{"var": "a"}, ["y", "z"]]}"#),
      (#"{"in": [{"var": "a"}, ["x", "y"]]}"#, ["comparison-0": "is"], #"{"==": [{"var": "a"}, "x"]}"#),
      (#"{"==": [{"var": "a"}, "x"]}"#, ["comparison-0": "isOneOf"], #"{"in": [{"var": "a"}, ["x"]]}"#),
      (#"{"==": [{"var": "a"}, "é"]}"#, ["operand-0": "e\u{301}"], "{\"==\": [{\"var\": \"a\"}, \"e\u{301}\"]}"),
      (#"{"==": [{"var": "a"}, "x"]}"#, ["attribute-0": " user id "], #"{"==": [{"var": "targetingKey"}, "x"]}"#),
    ] as [(String, [String: String], String)])
  func keepsTypes(condition: String, edits: [String: String], expected: String) throws {
    let sent = try RulePage("{\"if\": [\(condition), \"on\"]}").sending(edits)
    #expect(sent.form.problem == nil)
    #expect(Array(sent.rule.utf8) == Array("{\"if\": [\(expected), \"on\"]}".utf8))
  }

  @Test(
    "Groups, shared conditions, JSON and outcomes are edited in their place",
    arguments: [
      (["group-0": "any"], #""and""#, #""or""#),
      (["shared-0.1": "staff"], #"{"$ref": "beta"}"#, #"{"$ref": "staff"}"#),
      (["json-0.2": #"{"+": [{"var": "b"}, 2]}"#], #"{"+": [{"var": "b"}, 1]}"#, #"{"+": [{"var": "b"}, 2]}"#),
      (["outcome-0o": "variant:off"], #""on""#, #""off""#), (["outcome-0o": ""], #""on""#, "null"),
      (["outcome-0o": "shares"], #""on""#, #"{"fractional": [["off", 50], ["on", 50]]}"#),
    ] as [([String: String], String, String)])
  func editsInPlace(edits: [String: String], old: String, new: String) throws {
    let page = try RulePage(Self.group)
    let sent = page.sending(edits)
    #expect(sent.form.problem == nil && sent.rule == Self.group.replacing(old, with: new))
  }

  private static let group = #"""
    {"if": [{"and": [{"==": [{"var": "a"}, "x"]}, {"$ref": "beta"}, {"+": [{"var": "b"}, 1]}]}, "on", null]}
    """#

  private static func operands(_ comparison: EditableRule.Comparison) -> [FlagValue] {
    switch comparison.input {
    case .none: []
    case .value, .text: ["x"]
    case .list: ["x", "y"]
    case .number: [5]
    case .range: [1, 2.5]
    case .version: ["2.1.0"]
    case .date: [1_800_000_000]
    }
  }

  private static func typed(_ comparison: EditableRule.Comparison) -> [String: String] {
    switch comparison.input {
    case .none: [:]
    case .value, .text: ["operand-0": "x"]
    case .list: ["operand-0": "x\r\ny\r\n"]
    case .number: ["operand-0": "5"]
    case .range: ["operand-0": "1", "until-0": " 2.5 "]
    case .version: ["operand-0": "2.1.0"]
    case .date: ["operand-0": "2027-01-15T08:00"]
    }
  }
}

@Suite("Buttons of a rule's form")
struct RuleButtonTests {
  private static let (one, two) = (#"{"==": [{"var": "a"}, "x"]}"#, #"{"==": [{"var": "b"}, "y"]}"#)

  @Test(
    "Each button changes the structure, and says where a person goes on",
    arguments: [
      ("add-branch", [one, "on", or, "off", new, nil], "attribute-2"),
      ("add-users", [new, nil, one, "on", or, "off"], "operand-0"),
      ("remove-branch:0", [or, "off"], "add-branch"), ("remove-branch:1", [one, "on"], "add-branch"),
      ("move:0:1", [or, "off", one, "on"], "up-1"), ("move:1:-1", [or, "off", one, "on"], "down-0"),
      ("add-condition:0", [and(one, new), "on", or, "off"], "attribute-0.1"),
      ("add-group:0", [and(one, "{\"or\": [\(new)]}"), "on", or, "off"], "attribute-0.1.0"),
      ("add-shared:0:beta", [and(one, #"{"$ref": "beta"}"#), "on", or, "off"], "shared-0.1"),
      ("remove-condition:1.0", [one, "on", one, "off"], "add-condition-1"),
    ] as [(String, [String?], String)])
  func changesStructure(button: String, parts: [String?], focus: String) throws {
    let changed = try RulePage(Self.rule([Self.one, "on", Self.or, "off"])).sending(["do": button])
    #expect(changed.form.problem == nil && changed.rule == Self.rule(parts))
    let focused = changed.html.matches(of: /id="([^"]+)"[^>]* autofocus/).map { String($0.1) }
    #expect(focused == [focus])
  }

  private static let or = "{\"or\": [\(two), \(one)]}"
  private static let new = #"{"in": [{"var": "targetingKey"}, []]}"#
  private static func and(_ one: String, _ other: String) -> String { "{\"and\": [\(one), \(other)]}" }

  /// Returns a rule of conditions, which are JSON, and variants.
  private static func rule(_ parts: [String?]) -> String {
    let words = parts.map { part in part.map { $0.hasPrefix("{") ? $0 : "\"\($0)\"" } ?? "null" }
    return "{\"if\": [\(words.joined(separator: ", "))]}"
  }

  @Test("A button takes what was typed with it, and is done only if all of it can be used")
  func takesFields() throws {
    let page = try RulePage("{\"if\": [\(Self.one), \"on\", \(Self.two), \"off\"]}")
    let moved = page.sending(["operand-0": "z", "do": "move:0:1"])
    #expect(moved.rule == "{\"if\": [\(Self.two), \"off\", \(Self.one.replacing("x", with: "z")), \"on\"]}")
    let refused = page.sending(["comparison-0": "above", "do": "move:0:1"])
    #expect(refused.rule == page.rule && refused.form.problems["operand-0"] == "expected a number, found “x”")
  }

  @Test("The page without a script offers each button once, and none that would fail")
  func offersButtons() throws {
    let page = try RulePage("{\"if\": [\(Self.one), \"on\", {\"or\": [\(Self.two), \(Self.one)]}, \"off\"]}")
    let buttons = page.sent.buttons.filter { $0 != "lay-out" }
    for button in buttons where button != "move:0:-1" && button != "move:1:1" {
      let sent = page.sending(["do": button])
      #expect(sent.form.problem == nil && sent.rule != page.rule, "\(button)")
      #expect(sent.html.contains("autofocus"), "\(button)")
    }
    #expect(buttons.count == Set(buttons).count && buttons.count == 16)
  }
}

@Suite("What a rule's form keeps")
struct RuleKeepingTests {
  @Test("A form that nobody edited saves the same bytes, whatever the rule is", .computing)
  func keepsBytes() throws {
    var (rules, written) = (RandomRules(random: SeededGenerator(seed: 30)), FormRules(seed: 30))
    for _ in 0..<Effort.rounds(25, thorough: 50, long: 7_000) {
      let condition = rules.rule(levels: 3)
      let rule: FlagValue = ["if": [condition, "on", rules.rule(levels: 2), rules.rule(levels: 3)]]
      try Self.checkKept(rule.indentedJSON)
      try Self.checkKept(written.text())
      try Self.checkKept(written.text())
    }
  }

  @Test(
    "Odd values keep their bytes, too",
    arguments: [
      "", "null", "{}", "{\r\"if\":\r\n[]}", "true", "\"on\"", "[1]", "{\"if\": [", "{\"if\": []}",
      #"{"if": [{"==": [{"var": "a\nb"}, "x\ny\u0000\r\n"]}, "on"]}"#,
      #"{"if": [{"in": [{"var": "a"}, ["", " x", "y\n", "1", 1, 1.0, true]]}, "on"]}"#,
      #"{"if": [{"in": [{"var": "user id"}, [""]]}, "gone"]}"#, #"{"if": [{"==": [{"var": "a"}, "‹U+000A›"]}, "on"]}"#,
      #"{"if": [{"sem_ver": [{"var": "v"}, "=", "abc"]}, "on"]}"#,
      #"{"if": [{"<": [{"var": "$flagd.timestamp"}, 99999999999999]}, "on"]}"#,
      #"{"if": [{">=": [{"var": "$flagd.timestamp"}, 1800000001]}, "on"]}"#,
      #"{"if": [{"<": [{"var": "a"}, 1e2]}, {"if": [{"!!": [{"var": "b"}]}, "on"]}, {"fractional": [["on", 1], ["off"]]}]}"#,
    ])
  func keepsOddBytes(rule: String) throws { try Self.checkKept(rule) }

  private static func checkKept(_ rule: String) throws {
    let page = try RulePage(rule)
    let sent = page.sending([:])
    #expect(sent.form.problem == nil && Array(sent.form.draft.rule.utf8) == Array(rule.utf8), "\(rule)")
  }

  @Test("Markup in any value stays text")
  func escapes() throws {
    let evil = #"<img src=x onerror="alert('1')">&amp;"#
    let json = FlagValue.string(evil).description
    let rule = """
      {"if": [{"and": [{"==": [{"var": \(json)}, \(json)]}, {"in": [{"var": "a"}, [\(json)]]}, {"$ref": \(json)},
        {"sem_ver": [{"var": "v"}, "=", \(json)]}, {"+": [\(json)]}]}, \(json), {"cat": [\(json)]}]}
      """
    let page = try RulePage(rule)
    #expect(!page.html.contains("<img") && page.sending([:]).rule == rule)
    let edits = ["attribute-0.0": evil, "operand-0.3": evil, "json-0.4": evil, "comparison-0.0": "above"]
    let refused = page.sending(edits)
    #expect(refused.form.problem != nil && !refused.html.contains("<img"))
    #expect(refused.sent.fields["json-0.4"] == evil && refused.sent.fields["operand-0.3"] == evil)
    #expect(page.sending(["operand-0.0": evil + "!"]).rule.contains(FlagValue.string(evil + "!").description))
  }

  @Test(
    "What cannot be used is said at its field, and what was typed stays",
    arguments: [
      (["comparison-0": "above", "operand-0": "many"], "operand-0", "expected a number, found “many”"),
      (["comparison-0": "between", "operand-0": "1", "until-0": ""], "until-0", "expected a number, found nothing"),
      (
        ["comparison-0": "versionIs", "operand-0": "new"], "operand-0", "expected a version such as 2.1.0, found “new”"
      ),
      (
        ["comparison-0": "before", "operand-0": "soon"], "operand-0",
        "expected a date and a time in UTC, such as 2026-01-31T09:00, found “soon”"
      ),
      (["attribute-0": " "], "attribute-0", "expected the name of an attribute, such as countryCode, found nothing"),
      (["kind-0": "number"], "operand-0", "expected a number, found “x”"),
    ] as [([String: String], String, String)])
  func refuses(edits: [String: String], name: String, problem: String) throws {
    let page = try RulePage(#"{"if": [{"==": [{"var": "a"}, "x"]}, "on"]}"#)
    let refused = page.sending(edits)
    #expect(refused.form.problems == [name: problem] && refused.form.problem != nil && refused.rule == page.rule)
    #expect(refused.html.contains("id=\"problem-\(name)\">\(problem)</p>"))
    #expect(refused.html.contains("aria-describedby=\"problem-\(name)\" aria-invalid=\"true\""))
    for (name, text) in edits { #expect(refused.sent.fields[name] == text) }
    // The page that came back can be corrected.
    let corrected = refused.sending(["attribute-0": "a", "comparison-0": "is", "operand-0": "z", "kind-0": "text"])
    #expect(corrected.rule == page.rule.replacing("x", with: "z"))
  }

  @Test("The text and a field edited together are refused until one of them is chosen")
  func refusesBoth() throws {
    let page = try RulePage(#"{"if": [{"==": [{"var": "a"}, "x"]}, "on"]}"#)
    let text = #"{"if": [{"==": [{"var": "a"}, "t"]}, "on"]}"#
    #expect(page.sending(["rule": text]).rule == text)
    let refused = page.sending(["rule": text, "operand-0": "f"])
    #expect(refused.form.problem?.message.contains("both as text and by its fields") == true)
    #expect(refused.sent.fields["rule"] == text && refused.sent.fields["operand-0"] == "f")
    #expect(refused.sending(["do": "keep-text"]).rule == text)
    #expect(refused.sending(["do": "keep-fields"]).rule == page.rule.replacing("x", with: "f"))
    #expect(page.sending(["rule": "{"]).html.contains("The rule cannot be read. Correct it as JSON"))
  }

  @Test("Over HTTP, a button gives the whole page with the unsaved draft, and saving writes it")
  func saves() async throws {
    let web = try WebFixture()
    var form = BrowserForm(editor: try await web.ask(.get, "/flags/new-profile/edit").text).fields
    #expect(form["operand-0"] == "es\r\npt" && form["outcome-0o"] == "variant:on")
    let reviewed = try await web.ask(.post, "/flags/new-profile/review", form: form.merging(["do": "add-users"]) { $1 })
    #expect(reviewed.status == .ok && reviewed.text.hasPrefix("<!DOCTYPE html>"))
    #expect(reviewed.text.contains(#"<datalist id="values-1"><option value="es"></option><option value="pt">"#))
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == WebFixture.document)
    form = BrowserForm(editor: reviewed.text).fields
    form["operand-0"] = "ana\r\nbob"
    form["outcome-0o"] = "variant:on"
    form["operand-1"] = "es"
    let unseen = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(unseen.status == .ok)
    form = BrowserForm(editor: unseen.text).fields
    #expect(try await web.ask(.post, "/flags/new-profile/definition", form: form).status == .seeOther)
    let rule = try web.editor.draft(of: "new-profile").rule
    #expect(
      rule == #"""
        {"if": [{"in": [{"var": "targetingKey"}, ["ana", "bob"]]}, "on", {"in": [{"var": "countryCode"}, ["es"]]}, "on",
        {"fractional": [["on", 10], ["off", 90]]}]}
        """#)
  }
}

/// A rule's card in a page, and what a browser sends of it.
private struct RulePage {
  let form: EditorForm
  let html: String
  let sent: BrowserForm
  private let suggestions: RuleSuggestions

  init(_ rule: String) throws {
    let document = #"{"$evaluators": {"beta": {}, "staff": {}}, "# + WebFixture.document.dropFirst()
    let web = try WebFixture(document: document)
    var draft = try web.editor.draft(of: "new-profile")
    draft.rule = rule
    self.init(EditorForm(draft), web.editor.suggestions(for: try #require(web.definitions.current)))
  }

  private init(_ form: EditorForm, _ suggestions: RuleSuggestions) {
    (self.form, self.suggestions) = (form, suggestions)
    let panel = RuleTextPanel(form: form).html
    html = RuleCard(form: form, path: "/review", panel: panel, suggestions: suggestions).html.source
    sent = BrowserForm(html)
  }

  var rule: String { form.draft.rule.withoutReturns }

  /// Returns the test of the first branch.
  func test() throws -> EditableRule.Test? {
    if case .test(let test)? = try EditableRule(rule).branches.first?.condition.content { test } else { nil }
  }

  /// Returns the page that a browser gets for its form with some edits.
  func sending(_ edits: [String: String]) -> RulePage {
    var edited = sent
    edited.fields.merge(edits) { $1 }
    return RulePage(EditorForm(edited.console, over: form.draft), suggestions)
  }
}

import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import Testing

@Suite("Shares, a rollout with times, and the text of a rule in a form")
struct SharesCardTests {
  @Test(
    "A button changes the form without a script, and saves nothing",
    arguments: [
      (["do": "equal-shares:0"], #"["on", 50], ["off", 50]"#), (["do": "remove-share:0-1"], #"[["on", 10]]"#),
      (["do": "equal-shares:0", "share-0-0": "60"], #"["on", 50], ["off", 50]"#),
      (["do": "remove-share:0-0", "sticky-0": "company"], #"{"var": "company"}]}, ["off", 90]]"#),
      (["do": "lay-out"], "{\"if\": [\n  {\"in\": [{\"var\": \"countryCode\"}, [\"es\", \"pt\"]]},\n  \"on\",\n  {"),
      (["do": "plan-start:1800003600"], #"{">=": [{"var": "$flagd.timestamp"}, 1800176400]}, "on", {">=": "#),
      (["do": "nothing:7"], #"["on", 10], ["off", 90]"#), (["do": ""], #"["on", 10], ["off", 90]"#),
    ] as [([String: String], String)])
  func acts(edits: [String: String], rule: String) async throws {
    let web = try WebFixture()
    let form = try await Self.form(web).merging(edits) { $1 }
    for path in ["definition", "review"] {
      let page = try await web.ask(.post, "/flags/new-profile/\(path)", form: form)
      #expect(page.status == .ok && page.text.unescaped.contains(rule), "\(page.text.rule)")
    }
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == WebFixture.document)
  }

  @Test(
    "A button that cannot do its work says why, and the form stays",
    arguments: [
      (["do": "equal-shares:7"], "expected a split of the rule"),
      (["do": "remove-share:0-9"], "expected a share of the split"),
      (["do": "remove-share:99999999999999999999"], ""), (["do": "plan-start:99999999999999999999"], ""),
      (["do": "plan-start:9223372036854775807"], "expected times from 1970 to the year 9999, found 253402300800 s"),
      (["do": "add-share:0", "add-0": "blue"], "expected a variant that is in no share yet, found blue"),
      (["do": "lay-out", "rule": "{"], "expected"),
      (["do": "remove-share:0-1", "share-0-0": "many"], "share of on: expected a number"),
    ] as [([String: String], String)])
  func refuses(edits: [String: String], message: String) async throws {
    let web = try WebFixture()
    let form = try await Self.form(web).merging(edits) { $1 }
    let page = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(page.status == .ok && page.text.contains(message))
    #expect(page.text.rule == form["rule"]?.replacing("\r\n", with: "\n"))
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == WebFixture.document)
  }

  @Test("The attribute that keeps users together is saved, and shown as it is written")
  func sticks() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    #expect(form["sticky-0"] == "" && form["sticky-was-0"] == "")
    form["sticky-0"] = "company"
    form["share-0-0"] = "20"
    try await Self.save(web, form)
    let company = #"{"cat": [{"var": "$flagd.flagKey"}, {"var": "company"}]}"#
    let expected = #"{"fractional": [\#(company), ["on", 20], ["off", 80]]}"#
    #expect(
      Self.text(web)
        == WebFixture.document.replacing(#"{"fractional": [["on", 10], ["off", 90]]}"#, with: expected))
    form = try await Self.form(web)
    #expect(form["sticky-0"] == "company")
    form["sticky-0"] = ""
    form["share-0-0"] = "10"
    try await Self.save(web, form)
    #expect(Self.text(web) == WebFixture.document)
  }

  @Test("Shares inside of a part that the form shows as JSON are saved, beside what else is edited")
  func sharesInJSON() async throws {
    let split = #"{"fractional": [["on", 10], ["off", 90]]}"#
    let document = WebFixture.document.replacing(split, with: #"{"or": [\#(split), "off"]}"#)
    let web = try WebFixture(document: document)
    var form = try await Self.form(web)
    form["share-0-0"] = "20"
    form["sticky-0"] = "company"
    form["state"] = "DISABLED"
    try await Self.save(web, form)
    let company = #"[{"cat": [{"var": "$flagd.flagKey"}, {"var": "company"}]}, ["on", 20], ["off", 80]]"#
    #expect(
      Self.text(web)
        == document.replacing(#"[["on", 10], ["off", 90]]"#, with: company).replacing("ENABLED", with: "DISABLED"))
  }

  @Test("The attribute and the rule's text cannot be edited at once")
  func refusesBoth() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    form["sticky-0"] = "company"
    form["rule"] = #"{"fractional": [{"var": "x"}, ["on", 10], ["off", 90]]}"#
    let page = try await web.ask(.post, "/flags/new-profile/review", form: form)
    #expect(page.text.contains("the shares and the rule were both edited"))
  }

  @Test("A plan is saved as flagctl schedule writes it, shown again, edited, and removed")
  func plans() async throws {
    let web = try WebFixture(editing: { $0.now = { 1_800_000_100 } })
    let start = try await web.ask(.get, "/flags/new-profile/edit").text
    #expect(start.contains("value=\"plan-start:1800003600\""), "the next full hour")
    var form = try await BrowserForm(editor: Self.acted(web, "plan-start:1800003600")).fields
    #expect(form["plan-time-0"] == "2027-01-15T09:00" && form["plan-percent-0"] == "10")
    form = try await BrowserForm(editor: Self.acted(web, "plan-remove:1", form)).fields
    #expect(form["plan-percent-1"] == "100" && form["plan-time-2"] == nil)
    form["plan-time-1"] = "2027-01-15T09:00:01"
    form["plan-end"] = "2027-01-16T00:00"
    form["plan-percent-0"] = " 25 % "
    try await Self.save(web, form)
    let saved = try web.editor.draft(of: "new-profile")
    let steps = [RolloutSchedule.Step(percent: 25, time: 1_800_003_600), .init(percent: 100, time: 1_800_003_601)]
    #expect(saved.schedule == RolloutSchedule(variant: "on", steps: steps, end: 1_800_057_600))
    form = try await BrowserForm(editor: Self.acted(web, "plan-add")).fields
    #expect(form["plan-time-2"] == "2027-01-15T09:00:02" && form["was-0-0"] == nil)
    form = try await BrowserForm(editor: Self.acted(web, "plan-remove", form)).fields
    try await Self.save(web, form)
    #expect(Self.text(web) == WebFixture.document)
  }

  @Test(
    "A plan that cannot be is refused with the field and what it has, which stays",
    arguments: [
      ("plan-percent-0", "many", "share of step 1: expected a whole number from 0 to 100, found “many”"),
      ("plan-percent-1", "101", "share of step 2: expected a whole number from 0 to 100, found “101”"),
      ("plan-time-0", "", "time of step 1: expected a date and a time in UTC such as 2027-01-15T08:00, found nothing"),
      ("plan-time-0", "1969-01-01T00:00", "found “1969-01-01T00:00”"), ("plan-end", "<i>", "found “&lt;i&gt;”"),
      ("plan-time-0", "2027-02-01T00:00", "expected ascending times, found 2027-02-01T00:00:00Z, 2027-01-16T09:00:00Z"),
      ("plan-variant", "blue", "expected one of the variants off, on, found blue"),
      ("rule", "{}", "the plan and the rule were both edited"),
    ])
  func refusesPlan(name: String, text: String, message: String) async throws {
    let web = try WebFixture()
    var form = try await BrowserForm(editor: Self.acted(web, "plan-start:1800003600")).fields
    form["plan-percent-2"] = "99"
    form[name] = text
    let page = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(page.status == .unprocessableContent && page.text.contains(message))
    if name.hasPrefix("plan-"), name != "plan-variant" {
      #expect(page.text.contains("id=\"\(name)\"") && page.text.unescaped.contains("value=\"\(text)\""))
    }
    #expect(Self.text(web) == WebFixture.document)
  }

  @Test("A plan lists the users that each step moves, and marks the current step")
  func saysWhoMoves() async throws {
    let web = try WebFixture(
      options: { $0.testUsers = ["ana", "eva", "kim"].map { FlagUser(id: $0) } },
      editing: { options in
        options.now = { 1_800_100_000 }
        options.ownUsers = (0..<100).map { ["targetingKey": .string("own-\($0)")] }
      })
    let page = try await Self.acted(web, "plan-start:1800003600")
    let moves = page.matches(
      of: /data-text>Moves (\d|none) of 3 users known here(: [a-z, ]+)?; (\d+) of 100 of your users/)
    #expect(moves.count == 3 && moves.reduce(0) { $0 + (Int($1.3) ?? 0) } >= 80)
    #expect(page.contains("<li class=\"stage\" aria-current=\"step\"") && page.matches(of: /aria-current/).count == 1)
  }

  @Test("A problem of the rule is at its place below the text, escaped")
  func marksProblems() async throws {
    let document = WebFixture.document.replacing("\"on\": true", with: "\"on\": true, \"<i>\\\"&\": true")
    let web = try WebFixture(document: document)
    var form = try await Self.form(web)
    form["rule"] = "{\"if\": [\r\n  true,\r\n  \"<b>\"\r\n]}"
    let page = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(page.contains(##"data-line="3" data-column="3"><a href="#rule">Line 3, column 3</a>: "##))
    #expect(page.contains("line 3 of the rule</span>") && page.contains("aria-invalid=\"true\""))
    #expect(!page.contains("<b>") && !page.contains("<i>"))
    form["rule"] = "{"
    let broken = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(broken.contains(#"data-line="1" data-column="2">"#))
    form["do"] = "lay-out"
    let refused = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(refused.contains(#"data-line="1" data-column="2">"#))
    form = try await Self.form(web)
    form["sticky-0"] = "{"
    let sticky = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(sticky.contains("same users by: line 1, column 2: ") && !sticky.contains("data-line="))
  }
}

extension SharesCardTests {
  private static func form(_ web: WebFixture) async throws -> [String: String] {
    BrowserForm(editor: try await web.ask(.get, "/flags/new-profile/edit").text).fields
  }

  /// Returns the page that a button leads to.
  private static func acted(_ web: WebFixture, _ action: String, _ fields: [String: String]? = nil) async throws
    -> String
  {
    var form: [String: String]
    if let fields { form = fields } else { form = try await Self.form(web) }
    form["do"] = action
    let response = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(response.status == .ok)
    return response.text
  }

  /// Saves a form, after its review was seen.
  private static func save(_ web: WebFixture, _ form: [String: String]) async throws {
    var form = form
    form["seen"] = try await web.ask(.post, "/flags/new-profile/review", form: form).text.seen
    let saved = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(saved.status == .seeOther, "\(saved.text)")
  }

  private static func text(_ web: WebFixture) -> String? {
    web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) }
  }
}

extension String {
  /// The rule in the text field of a page.
  fileprivate var rule: String {
    firstMatch(of: /<textarea name="rule"[^>]*>\n(.*?)<\/textarea>/.dotMatchesNewlines())
      .map { String($0.1).unescaped.replacing("\r\n", with: "\n") } ?? ""
  }

  fileprivate var unescaped: String {
    let escapes = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&amp;", "&")]
    return escapes.reduce(self) { $0.replacing($1.0, with: $1.1) }
  }
}

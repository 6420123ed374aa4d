import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagReview
import Testing

@Suite("Editing a definition in a form")
struct EditorTests {
  @Test(
    "A share that was typed or moved is saved, with or without a review before it",
    arguments: [
      (["share-0-0": "60"], #"["on", 60], ["off", 40]"#), (["slider-0-0": "605"], #"["on", 605], ["off", 395]"#),
      (["slider-0-0": "600", "share-0-0": "60", "share-0-1": "40", "slider-0-1": "400"], #"["on", 60], ["off", 40]"#),
      (["share-0-0": "20", "slider-0-0": "600"], #"["on", 20], ["off", 80]"#), ([:], #"["on", 10], ["off", 90]"#),
    ] as [([String: String], String)])
  func savesShares(edits: [String: String], rule: String) async throws {
    let web = try WebFixture()
    let form = try await Self.form(web).merging(edits) { $1 }
    #expect(try await web.save("/flags/new-profile/definition", form: form).status == .seeOther)
    let text = String(decoding: try #require(web.definitions.current?.text), as: UTF8.self)
    #expect(text == WebFixture.document.replacing(#"["on", 10], ["off", 90]"#, with: rule))
  }

  @Test("If the flag is deleted meanwhile, that is said, and what was edited is still there")
  func keepsEditsOfDeleted() async throws {
    let web = try WebFixture()
    let form = try await Self.form(web).merging(["default": "on", "about-owner": "kim"]) { $1 }
    try await web.editor.save(web.editor.change(.delete("new-profile")))
    for path in ["/flags/new-profile/review", "/flags/new-profile/definition"] {
      let answer = try await web.ask(.post, path, form: form)
      #expect(answer.text.contains("This flag was deleted or renamed meanwhile."))
      #expect(answer.text.fields["about-owner"] == "kim" && answer.text.fields["default"] == "on")
    }
    #expect(try await web.ask(.post, "/flags/new-profile/definition", form: form).status == .unprocessableContent)
  }

  @Test("A page with edits that are not saved says so, and a variant with a value that is none can be removed")
  func removesInvalidVariant() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    #expect(try await !web.ask(.get, "/flags/new-profile/edit").text.contains("data-edited"))
    form["do"] = "add-variant"
    form = try await web.ask(.post, "/flags/new-profile/review", form: form).text.fields
    form["variant-2-value"] = "maybe"
    let refused = try await web.ask(.post, "/flags/new-profile/definition", form: form).text
    #expect(refused.contains("data-edited") && refused.contains(#"aria-describedby="variant-2-value-problem""#))
    form["do"] = "remove-variant:2"
    let removed = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(removed.fields["variants"] == "2" && !removed.contains("maybe"))
  }

  @Test("A form that is refused keeps the rule that its fields show, whatever button was pressed")
  func keepsShownRule() async throws {
    let web = try WebFixture()
    let form = try await web.ask(.get, "/flags/new-profile/edit").text.fields
    for edits in [["do": "remove-branch:0"], ["do": "equal-shares:0"], ["share-0-0": "20"], ["do": "plan-start:5"]] {
      let sent = form.merging(edits.merging(["variant-0-value": "maybe"]) { $1 }) { $1 }
      let refused = try await web.ask(.post, "/flags/new-profile/review", form: sent).text
      #expect(refused.fields["rule"] == form["rule"] && refused.fields["variant-0-value"] == "maybe")
      for (name, value) in edits where name != "do" { #expect(refused.fields[name] == value) }
    }
  }

  @Test(
    "A part with something that cannot be is removed, or made anew, all the same",
    arguments: [
      ("remove-condition:0.1", "operand-0.1", "abc"), ("remove-branch:0", "operand-0.1", "abc"),
      ("equal-shares:0", "share-0-0", "x"), ("remove-share:0-0", "share-0-0", "x"),
      ("plan-remove", "plan-percent-0", "x"),
      ("plan-remove:0", "plan-percent-0", "x"),
    ])
  func removesInvalidParts(button: String, name: String, value: String) async throws {
    let web = try WebFixture()
    var form = try await web.ask(.get, "/flags/new-profile/edit").text.fields
    if name.hasPrefix("operand") {
      form["do"] = "add-condition:0"
      form = try await web.ask(.post, "/flags/new-profile/review", form: form).text.fields
      form.merge(["attribute-0.1": "age", "comparison-0.1": "below", "operand-0.1": "18", "kind-0.1": "number"]) { $1 }
      form = try await web.ask(.post, "/flags/new-profile/review", form: form).text.fields
    }
    if button.hasPrefix("plan") {
      form["do"] = "plan-start:86400"
      form = try await web.ask(.post, "/flags/new-profile/review", form: form).text.fields
    }
    #expect(form[name] != nil, "\(form.keys.sorted())")
    form[name] = value
    let refused = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(refused.contains("<p class=\"problem\">"))
    form["do"] = button
    let changed = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(changed.fields["rule"] != form["rule"], "\(changed)")
  }

  @Test("A button of the shares acts on those that the form shows, whatever else was edited")
  func actsOnShownShares() async throws {
    let rule = #"{"if": [{"var": "a"}, "on", {"fractional": [["on", 10], ["off", 90]]}]}"#
    let start = try #require(WebFixture.document.firstRange(of: "\"targeting\": "))
    let document = "\(WebFixture.document[..<start.upperBound])\(rule)}}}"
    let web = try WebFixture(document: document)
    let page = try await web.ask(.get, "/flags/new-profile/edit").text
    let form = page.fields.merging(["outcome-0o": "shares", "do": "remove-share:0-0"]) { $1 }
    let shown = try await web.ask(.post, "/flags/new-profile/review", form: form).text.fields
    let expected = #"{"if": [{"var": "a"}, {"fractional": [["off", 50], ["on", 50]]}, {"fractional": [["off", 90]]}]}"#
    #expect(shown["rule"]?.filter { !$0.isWhitespace } == expected.filter { !$0.isWhitespace })
  }

  @Test("Nothing is saved that was not seen: a form whose review was of something else comes back with the new review")
  func savesWhatWasSeen() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    form["state"] = "DISABLED"
    let unseen = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(unseen.status == .ok && unseen.text.contains("Not saved yet."))
    form["seen"] = unseen.text.seen
    form["default"] = "on"
    let another = try await web.ask(.post, "/flags/new-profile/definition", form: form)
    #expect(another.status == .ok && another.text.seen != form["seen"])
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == WebFixture.document)
    form["seen"] = another.text.seen
    #expect(try await web.ask(.post, "/flags/new-profile/definition", form: form).status == .seeOther)
    let draft = try web.editor.draft(of: "new-profile")
    #expect(draft.isEnabled == false && draft.defaultVariant == "on")
  }

  @Test(
    "Shares that cannot be are refused in words, and what was entered stays in the form",
    arguments: [
      (["share-0-0": "many"], "share of on: expected a number from 0 to 100 with at most 6 decimal places"),
      (["share-0-0": "60", "share-0-1": "60"], "expected shares that add up to 100 %, found 120 %"),
      (["share-0-0": "60", "rule": "{}"], "the shares and the rule were both edited"),
    ] as [([String: String], String)])
  func refusesShares(edits: [String: String], message: String) async throws {
    let web = try WebFixture()
    let form = try await Self.form(web).merging(edits) { $1 }
    let saved = try await web.save("/flags/new-profile/definition", form: form)
    #expect(saved.status == .unprocessableContent && saved.text.contains("Not saved: \(message)"))
    for (name, value) in edits where edits["rule"] == nil {
      #expect(saved.text.contains("name=\"\(name)\" id=\"\(name)\" value=\"\(value)\""))
    }
    let review = try await web.ask(.post, "/flags/new-profile/review", form: form)
    #expect(review.text.contains("<p class=\"problem\">\(message)"))
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == WebFixture.document)
  }

  @Test("A malformed state is a choice of its own, and stays as it is written")
  func keepsMalformed() async throws {
    let document = WebFixture.document.replacing("ENABLED", with: "enabled")
    let web = try WebFixture(document: document)
    let page = try await web.ask(.get, "/flags/new-profile/edit").text
    #expect(page.contains("value=\"\" checked>") && page.contains("As written: &quot;enabled&quot;"))
    let form = try await Self.form(web)
    #expect(try await web.save("/flags/new-profile/definition", form: form).status == .seeOther)
    #expect(web.definitions.current.map { String(decoding: $0.text, as: UTF8.self) } == document)
  }

  @Test("A broken document is said on every page, and saving says what is wrong with it")
  func saysWhatIsBroken() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    form["state"] = "DISABLED"
    web.definitions.set("{\"flags\": 3}")
    for path in ["/", "/flags/new-profile", "/flags/new-profile/edit", "/share", "/flags/gone"] {
      let text = try await web.ask(.get, path).text
      #expect(text.contains("The definitions cannot be read.") && text.contains("1:11"), "\(path)")
    }
    let saved = try await web.save("/flags/new-profile/definition", form: form)
    #expect(saved.status == .unprocessableContent && !saved.text.contains("Someone else saved"))
    #expect(saved.text.contains("Not saved, because what is there now cannot be read."))
    #expect(saved.text.contains("value=\"DISABLED\" checked"))
    web.definitions.set(WebFixture.document)
    #expect(try await !web.ask(.get, "/").text.contains("cannot be read"))
    #expect(try await web.save("/flags/new-profile/definition", form: form).status == .seeOther)
  }

  @Test("The effect names the signed-in user, and other users by an example")
  func saysWhoIsAffected() async throws {
    let web = try WebFixture()
    try web.console.signIn(FlagUser(id: "ana", countryCode: "es"))
    var form = try await Self.form(web)
    form["rule"] = form["rule"]?.replacing("[\"es\", \"pt\"]", with: "[\"pt\"]")
    let review = try await web.ask(.post, "/flags/new-profile/review", form: form).text
    #expect(review.contains("ana gets off instead of on.") && review.contains("ana, signed in"))
    #expect(review.contains("Users like these get a different variant") && review.contains("for example {"))
    #expect(!review.contains("Nobody"))
  }

  /// The fields of the editor's form but the variants, as a browser sends them back.
  static func form(_ web: WebFixture) async throws -> [String: String] {
    let page = try await web.ask(.get, "/flags/new-profile/edit").text
    var form: [String: String] = [:]
    for match in page.matches(of: /<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/) where !match.0.contains("radio") {
      form[String(match.1)] = String(match.2)
    }
    let draft = try web.editor.draft(of: "new-profile")
    form["state"] = draft.isEnabled.map { $0 ? "ENABLED" : "DISABLED" } ?? ""
    form["default"] = draft.defaultVariant
    form["rule"] = draft.rule.replacing("\n", with: "\r\n")
    return form.filter { !["id", "country", "segments"].contains($0.key) && !$0.key.hasPrefix("variant") }
  }
}

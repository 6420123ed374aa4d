import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import Testing

@Suite("Making, copying, renaming, retiring and deleting flags on pages")
struct LifecycleTests {
  @Test("A flag that only the definitions have is shown in their editor")
  func leadsToEditor() async throws {
    let document = WebFixture.document.replacing(
      #"{"flags": {"#, with: #"{"flags": {"extra": {"state": "ENABLED", "variants": {"on": true}}, "#)
    let web = try WebFixture(document: document)
    let shown = try await web.ask(.get, "/flags/extra")
    #expect(shown.status == .seeOther && shown.fields[.location] == "/flags/extra/edit")
    #expect(try await web.ask(.get, "/flags/extra/edit").status == .ok)
    #expect(try await web.ask(.get, "/flags/other").status == .notFound)
  }

  @Test("A flag is switched off for everyone and on again by two presses, in the list and on its page")
  func switches() async throws {
    let web = try WebFixture()
    let list = try await web.ask(.get, "/?q=profile").text
    #expect(list.contains("href=\"/flags/new-profile/off?list=%3Fq%3Dprofile\" data-below>Off for everyone"))
    #expect(list.contains("<strong>Partly</strong>") && list.contains("<span>For me</span>"))
    let off = try await web.ask(.get, "/flags/new-profile/off?list=%3Fq%3Dprofile")
    #expect(off.status == .ok && off.text.contains("get a different variant"))
    let seen = ["seen": try #require(off.text.seen)]
    let saved = try await web.ask(.post, "/flags/new-profile/off?list=%3Fq%3Dprofile", form: seen)
    #expect(saved.status == .seeOther && saved.fields[.location] == "/?q=profile")
    #expect(try web.editor.draft(of: "new-profile").isEnabled == false)
    #expect(try await web.ask(.get, "/?state=off").text.contains("<strong>Off for everyone</strong>"))
    #expect(try await web.ask(.get, "/?state=partly").text.contains("No such flag"))
    let page = try await web.ask(.get, "/flags/new-profile").text
    #expect(page.contains("<strong class=\"big\">Off for everyone</strong>"))
    #expect(page.contains("href=\"/flags/new-profile/on\" data-below>Switch on"))
    let on = try await web.save("/flags/new-profile/on", form: [:])
    #expect(on.status == .seeOther && on.fields[.location] == "/flags/new-profile")
    #expect(web.text == WebFixture.document)
  }

  @Test("A press without a look, and a query of elsewhere, switch nothing and lead nowhere else")
  func switchesSafely() async throws {
    let web = try WebFixture()
    let unseen = try await web.ask(.post, "/flags/new-profile/off", form: [:])
    #expect(unseen.status == .ok && unseen.text.contains("Not saved yet.") && web.text == WebFixture.document)
    let saved = try await web.save("/flags/new-profile/off?list=%2F%2Fevil.example%2F%0D%0Ax", form: [:])
    #expect(saved.status == .seeOther && saved.fields[.location] == "/")
    let viewer = try WebFixture(options: { $0.isReadOnly = true })
    #expect(try await !viewer.ask(.get, "/").text.contains("/off"))
    #expect(try await viewer.ask(.post, "/flags/new-profile/off", form: [:]).status == .unprocessableContent)
  }

  @Test(
    "The buttons are the last part of a form, where they stay in sight",
    arguments: ["new", "flags/new-profile/edit", "flags/new-profile/off", "flags/new-profile/retire"])
  func keepsButtonsInSight(path: String) async throws {
    let text = try await WebFixture().ask(.get, "/\(path)").text
    let dock = try #require(text.split(separator: "<div class=\"dock\">").last)
    #expect(dock.contains("id=\"save\"") && !dock.contains("class=\"card\"") && dock.contains("</form>"))
  }

  @Test("A flag with three variants of numbers is made by form, after a review of what is written")
  func makes() async throws {
    let web = try WebFixture()
    let first = try await web.ask(.get, "/new")
    #expect(first.status == .ok && first.text.contains("value=\"on\"") && !first.text.contains("name=\"seen\""))
    var form = first.text.fields.merging(["key": "size", "do": "type:number", "state": "ENABLED"]) { $1 }
    form = try await web.ask(.post, "/new", form: form).text.fields.merging(["do": "add-variant"]) { $1 }
    form = try await web.ask(.post, "/new", form: form).text.fields
    #expect(form["variants"] == "3" && form["variant-2-name"] == "variant-3" && form["variant-2-value"] == "0")
    form["variant-2-name"] = "huge"
    form["variant-2-value"] = "30.5"
    form["about-owner"] = "web"
    form["default"] = "variant-3"
    let saved = try await web.save("/new", form: form)
    #expect(saved.status == .seeOther && saved.fields[.location] == "/flags/size/edit")
    let draft = try web.editor.draft(of: "size")
    #expect(
      draft.variantDrafts.map(\.name) == ["low", "high", "huge"] && draft.variantDrafts.map(\.value) == [1, 2, 30.5])
    #expect(draft.defaultVariant == "huge" && draft.about == [.owner: "web"] && draft.isEnabled == true)
    #expect(web.text.hasPrefix(WebFixture.document.dropLast(2)))
    #expect(try await web.ask(.get, "/flags/size/edit").status == .ok)
  }

  @Test("Another type keeps the variants' names, and the values that fit; the same type changes nothing")
  func changesType() async throws {
    let web = try WebFixture()
    var form = try await web.ask(.get, "/new").text.fields.merging(["key": "size", "do": "type:string"]) { $1 }
    form = try await web.ask(.post, "/new", form: form).text.fields.merging(["do": "add-variant"]) { $1 }
    form = try await web.ask(.post, "/new", form: form).text.fields
    form["variant-0-name"] = "small"
    form["variant-0-value"] = "10"
    form["default"] = "a"
    for (type, value) in [("string", "b"), ("number", "0"), ("string", "0")] {
      form["do"] = "type:\(type)"
      form = try await web.ask(.post, "/new", form: form).text.fields
      #expect(form["variants"] == "3" && form["variant-0-name"] == "small" && form["variant-0-value"] == "10")
      #expect(form["variant-1-value"] == value && form["default"] == "small")
    }
  }

  @Test("A flag that was just made is undone, and leads to the list")
  func undoesMaking() async throws {
    let web = try WebFixture()
    let form = try await web.ask(.get, "/new").text.fields.merging(["key": "size"]) { $1 }
    #expect(try await web.save("/new", form: form).status == .seeOther)
    let undone = try await web.save("/saved/undo", form: [:])
    #expect(undone.status == .seeOther && undone.fields[.location] == "/")
  }

  @Test("Nothing is made without a review, and a form that cannot be says what was expected", arguments: Self.refusals)
  func refuses(path: String, edits: [String: String], message: String) async throws {
    let web = try WebFixture()
    let form = try await web.ask(.get, path).text.fields.merging(edits) { $1 }
    let unseen = try await web.ask(.post, path, form: form)
    #expect(unseen.text.contains(message) && unseen.text.contains("role=\"alert\""), "\(unseen.text)")
    #expect(web.text == WebFixture.document)
    for (name, value) in edits { #expect(unseen.text.fields[name] == value, "\(name)") }
  }

  private static let refusals: [(String, [String: String], String)] = [
    ("/new", ["key": "page-size"], "Not saved yet."),
    ("/new", ["key": ""], "A flag needs a key."), ("/new", ["key": "a b"], "No spaces."),
    ("/new", ["key": "a\u{7}b"], "No control characters."),
    ("/new", ["key": "new-profile"], "Another flag has this key."),
    ("/new", ["key": "x", "variant-0-name": "off"], "which is taken"),
    ("/new", ["key": "x", "about-expires": "soon"], "expires: expected a day such as 2027-01-31, found “soon”"),
    ("/flags/new-profile/copy", ["key": "new-profile"], "Another flag has this key."),
    ("/flags/new-profile/copy", ["key": "page-size"], "Not saved yet."),
    ("/flags/new-profile/rename", ["key": ""], "A flag needs a key."),
    ("/flags/new-profile/rename", ["key": "a b"], "No spaces."),
    ("/flags/new-profile/retire", ["gone": "never"], "expected a day such as 2027-01-31, found “never”"),
  ]

  @Test("A flag that no code reads moves nobody, so one press makes it, or copies one", arguments: ["new", "copy"])
  func makesAtOnce(action: String) async throws {
    let web = try WebFixture(editing: { $0.readers = { key in key == "read" ? ["Feed.swift:1:2"] : [] } })
    let path = action == "new" ? "/new" : "/flags/new-profile/copy"
    let page = try await web.ask(.get, path).text
    let sentences = ["Nobody gets another value, unless", "No read of it was found in the code: nobody"]
    #expect(page.contains(sentences[action == "new" ? 0 : 1]), "nothing reads the suggested key of a copy")
    let unknown = try await WebFixture().ask(.get, path).text
    #expect(unknown.contains("Nobody gets another value, unless code reads this key already."))
    for (key, isMade) in [("read", false), ("page-size", false), ("fresh", true)] {
      let answer = try await web.ask(.post, path, form: page.fields.merging(["key": key]) { $1 })
      #expect((answer.status == .seeOther) == isMade && web.keys.contains(key) == isMade, "\(key)")
      #expect(isMade || answer.text.contains("Not saved yet.") && !answer.text.contains("obody gets another value"))
    }
    let invisible = try await web.ask(.post, path, form: page.fields.merging(["key": "\u{200B}x"]) { $1 })
    #expect(invisible.text.contains("U+200B (ZERO WIDTH SPACE)"), "a warning is seen before")
    #expect(try await web.ask(.post, path, form: invisible.text.fields).status == .seeOther)
  }

  @Test("What is wrong with a key is said at its field, which has the focus")
  func saysKeyProblem() async throws {
    let web = try WebFixture()
    for path in ["/new", "/flags/new-profile/copy", "/flags/new-profile/rename"] {
      let page = try await web.ask(.post, path, form: ["key": "two words", "variants": "0"]).text
      let field = try #require(page.firstMatch(of: /<input name="key"[^>]*>/)).0
      #expect(field.contains("autofocus") && field.contains(#"aria-describedby="key-problem""#), "\(path)")
      #expect(page.contains(#"<p class="problem" id="key-problem">No spaces.</p>"#))
      #expect(try await !web.ask(.get, path).text.contains("autofocus"))
    }
  }

  @Test("A retired flag is switched on again as it was, and deleted before its day only if that is said")
  func takesRetirementBack() async throws {
    let now = Locked<Int64>(1_800_000_000)
    let web = try WebFixture(editing: { $0.now = { now.withLock { $0 } } })
    func send(_ action: String, _ fields: [String: String] = [:]) async throws -> HTTPResponse {
      let form = try await web.ask(.get, "/flags/new-profile/\(action)").text.fields.filter { $0.key != "early" }
      return try await web.ask(.post, "/flags/new-profile/\(action)", form: form.merging(fields) { $1 })
    }
    for _ in 0..<2 {
      #expect(try await send("retire").status == .seeOther && web.draft("new-profile").retirement?.gone == "2027-02-14")
      #expect(try await send("on").status == .seeOther)
      #expect(try web.draft("new-profile").retirement == nil && web.draft("new-profile").isEnabled == true)
      #expect(!web.text.contains("retired") && !web.text.contains("gone"))
    }
    #expect(try await send("retire").status == .seeOther)
    let retired = web.text
    for (time, asks) in [(1_800_000_000, true), (1_802_649_599, true), (1_802_649_600, false)] {
      now.withLock { $0 = Int64(time) }
      #expect(try await web.ask(.get, "/flags/new-profile/delete").text.contains("name=\"early\"") == asks, "\(time)")
      guard asks else { continue }
      let refused = try await send("delete")
      #expect(refused.status == .unprocessableContent)
      #expect(refused.text.contains("Not saved: the flag may be deleted after 2027-02-14."))
      #expect(web.text == retired)
    }
    #expect(try await send("delete").status == .seeOther && web.keys == [])
    #expect(try await web.save("/saved/undo", form: [:]).status == .seeOther && web.text == retired)
    now.withLock { $0 = 1_800_000_000 }
    #expect(try await send("delete", ["early": "1"]).status == .seeOther && web.keys == [])
  }

  @Test("A page has one undo, which says of what: of the later one of a saved change and an override")
  func hasOneUndo() async throws {
    let web = try WebFixture()
    #expect(try await web.ask(.post, "/flags/new-profile/override", form: ["value": "true"]).status == .seeOther)
    #expect(try await web.ask(.get, "/").text.contains("Undo the override of new-profile</button>"))
    let off = try await web.ask(.get, "/flags/new-profile/off").text.fields
    #expect(try await web.ask(.post, "/flags/new-profile/off", form: off).status == .seeOther)
    let list = try await web.ask(.get, "/").text
    #expect(list.contains("Undo<span class=\"sr\">: ") && !list.contains("Undo the override"))
    #expect(try await web.ask(.post, "/flags/page-size/override", form: ["value": "30"]).status == .seeOther)
    let later = try await web.ask(.get, "/").text
    #expect(!later.contains("undo-saved") && later.contains("Undo the override of page-size</button>"))
    #expect(later.contains("Saved: ") && later.contains("dismiss-saved"))
    #expect(try await web.ask(.get, "/flags/new-profile").text.contains("undo-saved"), "which has no other")
    #expect(try await web.ask(.post, "/undo").status == .seeOther)
    #expect(try await web.ask(.get, "/").text.contains("undo-saved"))
    #expect(try await web.ask(.post, "/saved/dismiss").status == .seeOther)
    #expect(try await web.ask(.get, "/").text.contains("Undo the override of new-profile</button>"))
  }

  @Test("A plan is shown with its times and whom each moves: before it is saved, after it, and before it is undone")
  func showsPlans() async throws {
    let web = try WebFixture(
      options: { $0.testUsers = (0..<20).map { FlagUser(id: "user-\($0)") } },
      editing: { $0.now = { 86_400 } })
    var form = try await web.ask(.get, "/flags/new-profile/edit").text.fields
    form["do"] = "plan-start:172800"
    let edited = try await web.ask(.post, "/flags/new-profile/definition", form: form).text
    #expect(edited.contains("<h3>Later</h3>") && edited.contains("<h3>At once</h3>"))
    let time = #"<time datetime="1970-01-03T00:00:00Z">3 Jan 00:00 UTC</time>"#
    let step = "<strong>From \(time)</strong> <span>10 % get on, "
    let parts = /<ul class="words">.*?<\/ul>|<h3>Later<\/h3>.*?<\/section>/.dotMatchesNewlines()
    let review = edited.matches(of: parts).map(\.0).joined()
    #expect(review.contains("rollout added: ") && review.contains(step) && !review.contains("not on"))
    form = edited.fields.filter { $0.key != "do" }
    #expect(try await web.save("/flags/new-profile/definition", form: form).status == .seeOther)
    let page = try await web.ask(.get, "/flags/new-profile").text
    #expect(page.contains(step) && page.contains("of 20 users known here: "))
    #expect(try await !web.ask(.get, "/saved/undo").text.contains("<h3>Later</h3>"), "then there is no plan")
    #expect(try await web.save("/saved/undo", form: [:]).status == .seeOther)
    #expect(try await web.ask(.get, "/saved/undo").text.contains(step), "undoing the undo brings it back")
  }

  @Test("A flag is copied, renamed, retired and deleted, each after its review")
  func changes() async throws {
    let web = try WebFixture(editing: { $0.now = { 1_800_000_000 } })
    let copy = try await web.save("/flags/new-profile/copy", form: ["key": "second"])
    #expect(copy.fields[.location] == "/flags/second/edit")
    #expect(try web.draft("second").rule == web.draft("new-profile").rule)
    let rename = try await web.save("/flags/second/rename", form: ["key": "third"])
    #expect(rename.fields[.location] == "/flags/third/edit")
    #expect(web.keys == ["new-profile", "third"])
    let page = try await web.ask(.get, "/flags/new-profile/retire").text
    #expect(page.contains("value=\"2027-02-14\"") && page.contains("Unknown: this console was not given the code."))
    let retired = try await web.ask(.post, "/flags/new-profile/retire", form: page.fields)
    #expect(retired.fields[.location] == "/flags/new-profile", "the page shows its review at once")
    #expect(web.text.contains(#""metadata": {"retired": true, "gone": "2027-02-14"}"#))
    #expect(try web.draft("new-profile").isEnabled == false)
    let delete = try await web.ask(.post, "/flags/third/delete", form: web.ask(.get, "/flags/third/delete").text.fields)
    #expect(delete.fields[.location] == "/" && web.keys == ["new-profile"])
    #expect(try await web.ask(.get, "/flags/third/delete").status == .notFound)
  }

  @Test("Places that read a flag are shown before it goes, and it goes only if that is said")
  func showsReaders() async throws {
    let web = try WebFixture(editing: { $0.readers = { key in key == "new-profile" ? ["read: Feed.swift:1:2"] : [] } })
    for action in ["rename", "retire", "delete"] {
      let page = try await web.ask(.get, "/flags/new-profile/\(action)").text
      #expect(page.contains("<code>read: Feed.swift:1:2</code>"))
      var form = page.fields.filter { $0.key != "force" }
      if action == "rename" { form["key"] = "other" }
      let refused = try await web.ask(.post, "/flags/new-profile/\(action)", form: form)
      #expect(refused.status == .unprocessableContent && refused.text.contains("Not saved: code reads this flag."))
      #expect(web.text == WebFixture.document)
    }
    let form = try await web.ask(.get, "/flags/new-profile/delete").text.fields.merging(["force": "1"]) { $1 }
    #expect(try await web.ask(.post, "/flags/new-profile/delete", form: form).status == .seeOther)
    #expect(web.keys == [])
    let unread = try WebFixture(editing: { $0.readers = { _ in [] } })
    let page = try await unread.ask(.get, "/flags/new-profile/delete").text
    #expect(page.contains("Nothing in the code reads this flag."))
  }

  @Test("Markup in every field comes back as text, and a read-only console makes nothing")
  func escapes() async throws {
    let web = try WebFixture()
    let markup = "\"><script>alert(1)</script>"
    var form = try await web.ask(.get, "/new").text.fields
    for name in form.keys where name != "variants" && name != "seen" { form[name] = markup }
    let page = try await web.ask(.post, "/new", form: form).text
    #expect(!page.contains("<script>alert") && page.contains("&quot;&gt;&lt;script&gt;alert(1)"))
    for action in ["copy", "rename", "retire"] {
      let page = try await web.ask(
        .post, "/flags/new-profile/\(action)", form: ["key": markup, "gone": markup]
      ).text
      #expect(!page.contains("<script>alert"))
    }
    let locked = try WebFixture { $0.isReadOnly = true }
    #expect(try await !locked.ask(.get, "/").text.contains("id=\"new\""))
    #expect(try await !locked.ask(.get, "/flags/new-profile").text.contains("/delete"))
    let delete = try await locked.ask(
      .post, "/flags/new-profile/delete", form: locked.ask(.get, "/flags/new-profile/delete").text.fields)
    #expect(delete.status == .unprocessableContent && locked.text == WebFixture.document)
  }

  @Test("A form of another site makes nothing", arguments: ["/new", "/flags/new-profile/delete"])
  func refusesOthers(path: String) async throws {
    let web = try WebFixture()
    let form = try await web.ask(.get, path).text.fields
    var fields = WebFixture.ours
    fields[.origin] = "http://evil.example"
    #expect(try await web.ask(.post, path, fields, form: form).status == .forbidden)
    #expect(web.text == WebFixture.document)
  }
}

@Suite("Variants in the editor")
struct VariantTests {
  private static let path = "/flags/new-profile"

  @Test("A variant is added, renamed and given another value in the form that edits state and rule")
  func edits() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    form["do"] = "add-variant"
    form = try await Self.fields(web.ask(.post, "\(Self.path)/review", form: form).text)
    #expect(form["variants"] == "3" && form["variant-2-name"] == "variant-3" && form["variant-2-written"] == nil)
    form["variant-2-name"] = "beta"
    form["variant-0-name"] = "yes"
    form["default"] = "on"
    form["about-description"] = "A “new” one."
    #expect(try await web.save("\(Self.path)/definition", form: form).status == .seeOther)
    #expect(
      web.text
        == WebFixture.document.replacing("\"off\": false}, ", with: "\"off\": false, \"beta\": true}, ")
        .replacing("\"on\"", with: "\"yes\"")
        .replacing("\"defaultVariant\": \"off\"", with: "\"defaultVariant\": \"yes\"")
        .replacing("]]}]}}}}", with: "]]}]},\n  \"metadata\": {\"description\": \"A “new” one.\"}}}}"))
  }

  @Test("A variant that is used is removed only after its uses got another one")
  func removes() async throws {
    let web = try WebFixture()
    var form = try await Self.form(web)
    form["do"] = "remove-variant:0"
    let page = try await web.ask(.post, "\(Self.path)/review", form: form).text
    #expect(page.contains("No variant is named “on”, which is used by the rule and a share."))
    form = Self.fields(page)
    #expect(form["variants"] == "1" && form["variant-0-name"] == "off")
    let refused = try await web.save("\(Self.path)/definition", form: form)
    #expect(refused.status == .unprocessableContent && web.text == WebFixture.document)
    form["do"] = "replace-variant:on"
    form["replacement-on"] = "off"
    form = try await Self.fields(web.ask(.post, "\(Self.path)/review", form: form).text)
    #expect(try await web.save("\(Self.path)/definition", form: form).status == .seeOther)
    #expect(
      web.text == WebFixture.document.replacing("\"on\": true, ", with: "").replacing("\"on\"", with: "\"off\""))
  }

  @Test("Two variants exchange values, a number stays as it is written, and nothing edited changes no byte")
  func keepsBytes() async throws {
    let document = """
      {"flags": {"new-profile": {"state": "ENABLED", "variants": {"a": 1e2, "b": 2.50}, "defaultVariant": "a",
        "metadata": {"owner": 5, "expires": "soon"}}}}
      """
    let web = try WebFixture(document: document)
    var form = try await Self.form(web)
    #expect(try await web.save("\(Self.path)/definition", form: form).status == .seeOther)
    #expect(web.text == document)
    form["variant-1-value"] = "3"
    #expect(try await web.save("\(Self.path)/definition", form: form).status == .seeOther)
    #expect(web.text == document.replacing("2.50", with: "3"))
  }

  @Test(
    "A variant that cannot be is refused in words, and what was entered stays",
    arguments: [
      (["variant-0-value": "many"], "variant a: expected a number, found “many”"),
      (["variant-0-name": ""], "expected a variant"), (["variant-0-name": "b"], "which is taken"),
      (["about-expires": "soon"], "expires: expected a day such as 2027-01-31, found “soon”"),
    ])
  func refuses(edits: [String: String], message: String) async throws {
    let document = #"{"flags": {"new-profile": {"state": "ENABLED", "variants": {"a": 1, "b": 2}}}}"#
    let web = try WebFixture(document: document)
    let form = try await Self.form(web).merging(edits) { $1 }
    let page = try await web.save("\(Self.path)/definition", form: form)
    #expect(page.status == .unprocessableContent && page.text.contains(message), "\(page.text)")
    for (name, value) in edits { #expect(page.text.fields[name] == value) }
    #expect(web.text == document)
  }

  private static func form(_ web: WebFixture) async throws -> [String: String] {
    fields(try await web.ask(.get, "\(path)/edit").text)
  }

  /// The fields of the editor's form, as a browser without scripts sends them.
  private static func fields(_ page: String) -> [String: String] {
    var fields = page.fields
    for name in ["id", "country", "segments", "attributes"] { fields[name] = nil }
    return fields
  }
}

extension WebFixture {
  fileprivate var text: String { definitions.current.map { String(decoding: $0.text, as: UTF8.self) } ?? "" }

  fileprivate var keys: [String] { definitions.current?.document.keys ?? [] }

  fileprivate func draft(_ key: String) throws -> DefinitionDraft { try editor.draft(of: key) }
}

import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagServer
import Testing

@testable import FlagConsoleWeb

@Suite("The policy of an app")
struct PolicyTests {
  @Test("A person without access gets a page that says so, wherever they ask, and nothing of a flag")
  func refusesStrangers() async throws {
    let web = try WebFixture()
    let pages = try Self.pages(web)
    let (known, stranger) = (Browser(pages, person: "eva:edit"), Browser(pages))
    _ = await known.send("GET", "/admin/")
    let cookie = known.cookie.withLock { $0 }
    for cookie in [nil, cookie, "console-n=session"] {
      stranger.cookie.withLock { $0 = cookie }
      let paths = ["/admin/", "/admin/flags/new-profile", "/admin/console.js", "/admin/events", "/admin/nothing", "/"]
      for path in paths {
        for method in ["GET", "POST", "HEAD"] {
          let answer = await stranger.send(method, path, "value=true")
          #expect(answer.status == 401 && !answer.text.contains("new-profile"), "\(method) \(path)")
          #expect(method == "HEAD" || answer.text.contains("You have no access to these flags"))
        }
      }
    }
    #expect(await stranger.send("GET", "/admin/console.css").status == 200)
    #expect(web.console.row("new-profile")?.isOverridden == false)
    let foreign = FlagConsolePages.Request(
      "GET", "/admin/", fields: [.init("Host", "evil.example"), .init("X-Person", "eva:edit")])
    #expect(await pages.response(to: foreign).status == 421)
  }

  @Test("A route changes nothing for a person without the permission that it needs", arguments: ["view", "override"])
  func guardsRoutes(name: String) async throws {
    let permission: FlagConsolePermission = name == "view" ? .view : .override
    let person = FlagConsolePerson("maria", may: permission)
    let routes = try Self.service(of: WebFixture()).routes { _ in person }.filter { $0.method == .post }
    #expect(routes.count >= 9)
    for route in routes {
      let web = try WebFixture()
      try web.console.override("page-size", with: 40)
      let (service, before) = (Self.service(of: web).service(for: person), State(web))
      let needed = Self.needed[route.pattern.text] ?? .edit
      for form in try Self.forms(web) {
        let path = route.pattern.text.replacing("{key}", with: "new-profile").replacing(/\{[^}]*\}/, with: "1")
        let answer = try await WebFixture.save(service, path, form: form)
        let isSame = State(web) == before
        #expect(permission >= needed || isSame, "\(route.method.name) \(route.pattern.text) \(answer.status.code)")
      }
    }
  }

  @Test("The address of each form's answer can be asked again, by a reload or by a window that follows changes")
  func answersReloads() async throws {
    let routes = try Self.service(of: WebFixture()).routes { _ in FlagConsolePerson("eva", may: .edit) }
    let pages = Set(routes.filter { $0.method == .get }.map(\.pattern.text))
    #expect(routes.filter { $0.method == .post && !pages.contains($0.pattern.text) }.map(\.pattern.text) == [])
  }

  @Test("An editor's forms do change something: so the table above is one of refusals")
  func allowsEditors() async throws {
    let person = FlagConsolePerson("eva", may: .edit)
    for path in ["/flags/new-profile/override", "/flags/page-size/clear", "/flags/page-size/write", "/undo", "/clear"] {
      let web = try WebFixture()
      try web.console.override("page-size", with: 40)
      let (service, before) = (Self.service(of: web).service(for: person), State(web))
      if path == "/undo" {
        let browser = Browser(try Self.pages(web), person: "eva:edit")
        #expect(await browser.send("POST", "/admin/flags/new-profile/override", "value=true").status == 303)
        #expect(await browser.send("POST", "/admin/undo").status == 303)
        #expect(State(web) == before)
        continue
      }
      let form = ["value": path.contains("page") ? "30" : "true", "provider": "local", "confirmed": "1"]
      #expect(try await WebFixture.ask(service, .post, path, form: form).status == .seeOther, "\(path)")
      #expect(State(web) != before, "\(path)")
    }
    for path in ["/new"] + ["definition", "copy", "rename", "retire", "delete"].map({ "/flags/new-profile/\($0)" }) {
      let web = try WebFixture()
      let (service, before) = (Self.service(of: web).service(for: person), State(web))
      for form in try Self.forms(web) { _ = try await WebFixture.save(service, path, form: form) }
      #expect(State(web) != before, "\(path)")
    }
  }

  @Test("A permission that is withdrawn between a page and its form is missed, also by the same cookie")
  func withdraws() async throws {
    let web = try WebFixture()
    let browser = Browser(try Self.pages(web), person: "eva:edit")
    let review = await browser.send("POST", "/admin/flags/new-profile/review", Self.encoded(Self.edit(web)))
    let seen = try #require(review.text.seen)
    #expect(await browser.send("POST", "/admin/flags/new-profile/override", "value=true").status == 303)
    let before = State(web)
    for person in ["eva:view", "eva:override", nil] {
      browser.person.withLock { $0 = person }
      let form = Self.encoded(Self.edit(web).merging(["seen": seen]) { $1 })
      #expect(await browser.send("POST", "/admin/flags/new-profile/definition", form).status != 303)
      #expect(State(web) == before)
    }
    browser.person.withLock { $0 = "eva:view" }
    #expect(await browser.send("POST", "/admin/undo").status == 422)
    #expect(State(web) == before)
  }

  @Test("The cookie of one person used by another is that of a new browser: no undo, and nobody signed in")
  func separatesPeople() async throws {
    let web = try WebFixture()
    let pages = try Self.pages(web)
    let eva = Browser(pages, person: "eva:edit")
    #expect(await eva.send("POST", "/admin/user", "id=ana&country=es").status == 303)
    #expect(await eva.send("POST", "/admin/flags/page-size/override", "value=40").status == 303)
    let thief = Browser(pages, cookie: eva.cookie.withLock { $0 }, person: "tom:edit")
    let list = await thief.send("GET", "/admin/")
    #expect(list.cookie != nil && !list.text.contains("id=\"undo\"") && list.text.contains(">Visitor</span>"))
    #expect(list.text.contains(">\ntom</span>") || list.text.contains("tom</span>"))
    #expect(await thief.send("POST", "/admin/undo").status == 303)
    #expect(web.console.row("page-size")?.value == 40)
    #expect(await eva.send("GET", "/admin/").text.contains("id=\"undo\""))
    #expect(await eva.send("GET", "/admin/flags/new-profile").text.contains("For user ana."))
  }

  @Test("Pages show no control that is not allowed, and say why in words")
  func hides() async throws {
    let pages = try Self.pages(WebFixture())
    let (viewer, tester) = (Browser(pages, person: "vera:view"), Browser(pages, person: "tom:override"))
    let looked = await viewer.send("GET", "/admin/flags/new-profile").text
    #expect(looked.contains("vera may look at flags here, and change nothing."))
    #expect(!looked.contains("/override\"") && !looked.contains("/edit\"") && !looked.contains("/write\""))
    #expect(await !viewer.send("GET", "/admin/").text.contains("id=\"clear-all\""))
    let tested = await tester.send("GET", "/admin/flags/page-size").text
    #expect(tested.contains("/override\"") && !tested.contains("/write\""))
    let profile = await tester.send("GET", "/admin/flags/new-profile").text
    #expect(profile.contains("tom may override flags here, and not edit their definitions."))
    #expect(!profile.contains("id=\"edit\""))
    let editor = await tester.send("GET", "/admin/flags/new-profile/edit").text
    #expect(!editor.contains("id=\"save\"") && editor.contains("id=\"locked\""))
  }

  @Test("The policy is asked once for each request, with the request as it came")
  func asksOnce() async throws {
    let asked = Locked<[String]>([])
    let pages = try FlagConsolePages(
      WebFixture().console, at: "/admin",
      access: .policy { request in
        asked.withLock { $0.append("\(request.method) \(request.target)") }
        return FlagConsolePerson("eva", may: .edit)
      })
    let browser = Browser(pages)
    #expect(await browser.send("GET", "/admin/?q=page").status == 200)
    #expect(await browser.send("POST", "/admin/flags/new-profile/override", "value=true").status == 303)
    #expect(asked.withLock { $0 } == ["GET /admin/?q=page", "POST /admin/flags/new-profile/override"])
  }

  /// The permissions that routes need for a change; all others need the one to edit.
  private static let needed: [String: FlagConsolePermission] = [
    "/flags/{key}/override": .override, "/flags/{key}/clear": .override, "/clear": .override, "/undo": .override,
    "/import": .override, "/flags/{key}/assign": .override,
  ]

  private static func pages(_ web: WebFixture) throws -> FlagConsolePages {
    try FlagConsolePages(
      web.console, at: "/admin",
      access: .policy { request in
        let parts = (request.fields.first { $0.name == "X-Person" }?.value ?? "").split(separator: ":")
        let permissions: [Substring: FlagConsolePermission] = ["view": .view, "override": .override, "edit": .edit]
        return parts.count == 2 ? permissions[parts[1]].map { FlagConsolePerson(String(parts[0]), may: $0) } : nil
      })
  }

  private static func service(of web: WebFixture) -> ConsoleService {
    ConsoleService(
      web.console, ConsoleGate(token: "token", session: "session", name: "n", isOpen: true),
      sessions: .init(name: "console-n") { "value" })
  }

  /// Forms that change something if a route takes them: its own fields are among these.
  private static func forms(_ web: WebFixture) throws -> [[String: String]] {
    let change = edit(web).merging(["value": "true", "provider": "local", "confirmed": "1"]) { $1 }
    let draft = EditorForm(ConsoleForm(bytes(change)), over: try Self.draft(web)).draft
    let seen = try web.editor.review(DocumentChange(draft))
    let more = [
      "seen": seen.fingerprint, "overrides": #"{"new-profile": true}"#, "key": "another", "current": "1",
      "name": "another", "reason": "because",
    ]
    return [change, change.merging(more) { $1 }, ["value": "30", "provider": "local", "confirmed": "1"]]
  }

  private static func draft(_ web: WebFixture) throws -> DefinitionDraft { try web.editor.draft(of: "new-profile") }

  private static func edit(_ web: WebFixture) -> [String: String] {
    let version = web.definitions.current?.version.rawValue ?? ""
    return ["version": version, "state": "DISABLED", "default": "off", "rule": ""]
  }

  private static func encoded(_ form: [String: String]) -> String { String(decoding: bytes(form), as: UTF8.self) }

  private static func bytes(_ form: [String: String]) -> [UInt8] {
    Array(form.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&").utf8)
  }
}

private struct State: Equatable {
  let overrides: [FlagKey: FlagValue]
  let text: [UInt8]?
  let written: String?

  init(_ web: WebFixture) {
    overrides = web.console.ports.overriding?.overrides ?? [:]
    text = web.definitions.current?.text
    written = web.console.detail("page-size")?.answerText(of: "local")
  }
}

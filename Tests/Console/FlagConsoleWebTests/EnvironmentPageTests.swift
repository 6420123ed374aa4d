import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagHTTP
import FlagServer
import Testing

@testable import FlagConsoleWeb

@Suite("Pages of several environments")
struct EnvironmentPageTests {
  @Test("Each environment has its pages below its name, with a way to the same flag in the others")
  func hasPaths() async throws {
    let web = try Fixture()
    #expect(try await web.ask(.get, "/").fields[.location] == "/dev/")
    #expect(try await web.ask(.get, "/prod").fields[.location] == "/prod/")
    let detail = try await web.ask(.get, "/dev/flags/new-profile").text
    #expect(detail.contains("<title>new-profile · Flags · dev</title>"))
    #expect(detail.contains(#"<a href="/dev/flags/new-profile" aria-current="true">dev</a>"#))
    #expect(detail.contains(#"<a href="/prod/flags/new-profile">prod</a>"#))
    let editor = try await web.ask(.get, "/prod/flags/new-profile/edit").text
    #expect(editor.contains(#"<a href="/dev/flags/new-profile">"#))
    let list = try await web.ask(.get, "/prod/?q=profile&state=enabled").text
    #expect(list.contains(#"<a href="/dev/?q=profile&amp;state=enabled">dev</a>"#))
    #expect(try await web.ask(.get, "/dev/share").text.contains(#"<a href="/prod/share">"#))
    for path in ["/flags/new-profile", "/share", "/events", "/test/"] {
      #expect(try await web.ask(.get, path).status == .notFound, "\(path)")
    }
    for path in ["/dev/console.css", "/prod/console.js", "/dev/icon.svg", "/console.css"] {
      #expect(try await web.ask(.get, path).status == .ok, "\(path)")
    }
    #expect(try await web.ask(.get, "/dev/", [.host: "127.0.0.1:1"]).status == .unauthorized)
  }

  @Test("Pages of production say so, by a word, too; and what saves says where")
  func marksProduction() async throws {
    func marks(_ web: Fixture, _ path: String) async throws -> Set<String> {
      let page = try await web.ask(.get, path).text
      #expect(page.contains("<body class=\"production\"") == page.contains(">Production</span>"))
      return Set(["Production", "Save in dev", "Save in prod"].filter { page.contains(">\($0)<") })
    }
    let usual = try Fixture()
    #expect(try await marks(usual, "/dev/flags/new-profile/edit") == ["Save in dev"])
    #expect(try await marks(usual, "/prod/flags/new-profile/edit") == ["Production", "Save in prod"])
    #expect(try await marks(usual, "/environments") == [])
    let other = try Fixture(production: ["dev"])
    #expect(try await marks(other, "/dev/") == ["Production"])
    #expect(try await marks(other, "/prod/") == [])
    #expect(throws: FlagError.self) { try Fixture(production: ["live"]) }
    let names = ["prod", "Production", "PROD", "live", "preprod", "production-2"]
    let marked = try FlagEnvironments(names.map { ($0, other.environments.all[0].console) }).all.filter(\.isProduction)
    #expect(marked.map(\.name) == ["prod", "Production", "PROD"])
  }

  @Test("The comparison says in words what differs, can be narrowed to that, and has pages")
  func compares() async throws {
    let web = try Fixture()
    let page = try await web.ask(.get, "/environments").text
    #expect(page.contains(#"<a href="/environments" aria-current="page">Compare</a>"#))
    #expect(page.contains(#"<span class="tag differing">Differs</span>"#))
    #expect(page.contains("Other state, rule") && page.contains("Not in prod"))
    #expect(page.contains(#"<a href="/prod/flags/new-profile">Off for everyone"#))
    #expect(page.contains(#"href="/prod/flags/new-profile/promote?from=dev""#))
    let narrowed = try await web.ask(.get, "/environments?differs=1&q=same").text
    #expect(narrowed.contains("No such flag"))
    for hostile in ["page=0", "page=-1", "page=99999999999999999999", "page=x", "q=%3Cscript%3E", "differs=2"] {
      let answer = try await web.ask(.get, "/environments?\(hostile)")
      #expect(answer.status == .ok && !answer.text.contains("<script>"), "\(hostile)")
    }
    #expect(try await WebFixture().ask(.get, "/environments").status == .notFound)
  }

  @Test(
    "The page that compares environments follows all of them, and says their revisions as its events do",
    .timeLimit(.minutes(5)))
  func followsAll() async throws {
    let web = try Fixture()
    let pages = try FlagConsolePages(web.environments, at: "/flags", access: .server)
    let host = FlagConsolePages.Field("Host", "localhost")
    let response = await pages.response(to: .init("GET", "/flags/environments/events", fields: [host]))
    guard case .events(let events) = response.body else {
      Issue.record("expected events, found \(response.status)")
      return
    }
    var iterator = events.makeAsyncIterator()
    func revision() async throws -> String {
      let text = await Browser(pages).send("GET", "/flags/environments").text
      #expect(text.contains(#"data-events="/flags/environments/events""#))
      return try String(#require(text.firstMatch(of: /data-revision="([^"]+)"/)).1)
    }
    let first = try await revision()
    #expect(await iterator.next().map { String(decoding: $0, as: UTF8.self) } == "id: \(first)\ndata: \(first)\n\n")
    let editor = try web.environments.all[1].console.existingEditor
    var draft = try editor.draft(of: "new-profile")
    draft.isEnabled = draft.isEnabled != true
    try await editor.save(DocumentChange(draft))
    let event = await iterator.next().map { String(decoding: $0, as: UTF8.self) }
    let second = try await revision()
    #expect(second != first && event == "id: \(second)\ndata: \(second)\n\n")
  }

  @Test("A flag that is in other environments alone is shown as missing, with the ways to it")
  func showsMissing() async throws {
    let web = try Fixture(catalogs: true)
    let page = try await web.ask(.get, "/prod/flags/beta")
    #expect(page.status == .notFound && page.text.contains("<h1>Not in prod</h1>"))
    #expect(page.text.contains(#"href="/prod/flags/beta/promote?from=dev""#))
    #expect(page.text.contains(#"href="/dev/flags/beta">Show in dev"#))
    let missing = try await web.ask(.get, "/prod/flags/nothing")
    #expect(missing.status == .notFound && missing.text.contains("<h1>Not found</h1>"))
  }

  @Test("A flag is promoted once its review was seen, and its shared rules only if asked")
  func promotes() async throws {
    let web = try Fixture()
    let path = "/prod/flags/new-profile/promote?from=dev"
    let page = try await web.ask(.get, path).text
    #expect(page.contains("action=\"\(path)\""))
    #expect(page.contains("Promote from dev to prod") && page.contains("id=\"review\""))
    let unseen = try await web.ask(.post, path)
    #expect(unseen.status == .ok && unseen.text.contains("id=\"unseen\"") && web.prod.text == Fixture.prod)
    let saved = try await web.ask(.post, path, form: ["seen": try #require(unseen.text.seen)])
    #expect(saved.status == .seeOther && saved.fields[.location] == "/prod/flags/new-profile")
    #expect(web.prod.text.contains("\"fractional\": [[\"on\", 10]"))
    let lacking = try await web.ask(.post, "/prod/flags/beta/promote?from=dev")
    #expect(lacking.status == .unprocessableContent && lacking.text.contains("Missing in prod: testers"))
    let taken = try await web.ask(.post, "/prod/flags/beta/promote?from=dev", form: ["rules": "1"])
    let form = ["rules": "1", "seen": try #require(taken.text.seen)]
    #expect(try await web.ask(.post, "/prod/flags/beta/promote?from=dev", form: form).status == .seeOther)
    #expect(web.prod.text.contains("\"testers\""))
    for name in ["prod", "nothing", "", "<script>"] {
      let source = PercentEncoding.encode(name)
      let answer = try await web.ask(.post, "/prod/flags/new-profile/promote?from=\(source)")
      #expect(answer.status == .notFound && !answer.text.contains("<script>"), "\(name)")
    }
  }

  @Test("A person's permission in an environment counts on its pages, and for the ways to it")
  func permits() async throws {
    let web = try Fixture()
    let pages = try FlagConsolePages(
      web.environments, access: .policy { _ in FlagConsolePerson("maria", may: .edit, ["prod": .view]) })
    let browser = Browser(pages)
    #expect(await browser.send("GET", "/environments").text.contains("/promote") == false)
    #expect(await browser.send("GET", "/dev/flags/new-profile").text.contains("You may not edit prod."))
    #expect(await browser.send("GET", "/prod/flags/new-profile").text.contains("id=\"edit\"") == false)
    #expect(await browser.send("POST", "/dev/flags/new-profile/override", "value=true").status == 303)
    #expect(await browser.send("POST", "/prod/flags/new-profile/override", "value=true").status == 422)
    let review = await browser.send("POST", "/prod/flags/new-profile/promote?from=dev")
    let seen = try #require(review.text.seen)
    #expect(await browser.send("POST", "/prod/flags/new-profile/promote?from=dev", "seen=\(seen)").status == 422)
    #expect(web.prod.text == Fixture.prod)
    // One cookie is a session in each environment.
    #expect(await browser.send("GET", "/dev/").text.contains("id=\"undo\""))
    #expect(await browser.send("GET", "/prod/").cookie == nil)
  }
}

/// Pages of two environments.
private struct Fixture {
  let environments: FlagEnvironments
  let prod: InMemoryDefinitionStore
  let service: Service

  /// Creates the pages: of flags that code declares, or of those that the documents have.
  init(catalogs areOfDocuments: Bool = false, production: Set<String>? = nil) throws {
    func web(_ document: String) throws -> WebFixture {
      guard areOfDocuments else { return try WebFixture(document: document) }
      let stored = try #require(try InMemoryDefinitionStore(document).current)
      return try WebFixture(catalogs: FlagCatalog.catalogs(of: stored.document, named: "f"), document: document)
    }
    let (dev, prod) = (try web(Self.dev), try web(Self.prod))
    environments = try FlagEnvironments(
      [("dev", dev.console), ("prod", prod.console)], production: production)
    self.prod = prod.definitions
    let gate = ConsoleGate(token: "token", session: "session", name: "n")
    service = ConsoleService(environments, gate).service
  }

  func ask(
    _ method: HTTPMethod, _ target: String, _ fields: HTTPFields = WebFixture.ours, form: [String: String] = [:]
  ) async throws -> HTTPResponse {
    try await WebFixture.ask(service, method, target, fields, form: form)
  }

  static let dev = """
    {"flags": {
      "same": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"},
      "new-profile": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": {"fractional": [["on", 10], ["off", 90]]}},
      "beta": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "testers"}, "on"]}}},
      "$evaluators": {"testers": {"in": ["beta", {"var": "segments"}]}}}
    """

  static let prod = """
    {"flags": {
      "same": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"},
      "new-profile": {"state": "DISABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"}}}
    """
}

extension InMemoryDefinitionStore {
  fileprivate var text: String { current.map { String(decoding: $0.text, as: UTF8.self) } ?? "" }
}

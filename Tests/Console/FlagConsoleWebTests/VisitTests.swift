import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagServer
import Testing

@testable import FlagConsoleWeb

@Suite("Browsers of a console")
struct VisitTests {
  @Test("In a server that lets many in, each browser has a user and an undo of its own")
  func separatesBrowsers() async throws {
    let web = try WebFixture()
    let pages = try FlagConsolePages(web.console, at: "/admin", access: .server)
    let (one, other) = (Browser(pages), Browser(pages))
    #expect(await one.send("HEAD", "/admin/").cookie == nil)
    let cookie = try #require(await one.send("GET", "/admin/").cookie)
    #expect(cookie.contains(/^console-[0-9a-f]{8}=[0-9a-f]{32}; Path=\/admin; HttpOnly; SameSite=Lax$/))
    #expect(await one.send("POST", "/admin/user", "id=ana&country=es").status == 303)
    #expect(await one.send("GET", "/admin/").cookie == nil)
    #expect(await one.send("GET", "/admin/flags/new-profile").text.contains("For user ana."))
    #expect(await other.send("GET", "/admin/flags/new-profile").text.contains("For a visitor."))
    #expect(web.console.user == nil && web.program.variation(for: WebFixture.profile) == false)
    #expect(await one.send("POST", "/admin/flags/page-size/override", "value=40").status == 303)
    #expect(await one.send("GET", "/admin/").text.contains("id=\"undo\""))
    #expect(await !other.send("GET", "/admin/").text.contains("id=\"undo\""))
    #expect(await other.send("POST", "/admin/undo").status == 303)
    #expect(web.console.row("page-size")?.value == 40)
    #expect(await one.send("POST", "/admin/undo").status == 303)
    #expect(web.console.row("page-size")?.value == 25)
    // A cookie that was made up is that of a new browser.
    let forged = Browser(pages, cookie: "\(cookie.prefix(16))=\(String(repeating: "0", count: 32))")
    #expect(await forged.send("GET", "/admin/flags/new-profile").text.contains("For a visitor."))
  }

  @Test("A user is signed in as it is: a saved one by its number, and segments with the spaces inside of them")
  func signsIn() async throws {
    let saved = FlagUser(id: "bo", segments: ["power users", "a,b"])
    let web = try WebFixture(options: { $0.testUsers = [FlagUser(id: "ana"), saved] })
    #expect(try await web.ask(.post, "/user", form: ["saved": "1"]).status == .seeOther)
    #expect(web.console.user == saved)
    #expect(try await web.ask(.post, "/user", form: ["id": "c", "segments": " power users , x,"]).status == .seeOther)
    #expect(web.console.user?.segments == ["power users", "x"])
    let form = ["id": "d", "country": "es", "segments": "s", "attributes": "{age: 42}"]
    let refused = try await web.ask(.post, "/user", form: form)
    #expect(refused.status == .unprocessableContent && refused.text.contains("<h1>Sign in</h1>"))
    #expect(refused.text.contains(#"value="es""#) && refused.text.contains("{age: 42}"))
  }

  @Test("A script is led nowhere: it shows its own page anew")
  func leadsNoScript() async throws {
    let document = WebFixture.document.replacing(
      #"{"flags": {"#, with: #"{"flags": {"extra": {"state": "ENABLED", "variants": {"on": true}}, "#)
    let web = try WebFixture(document: document)
    var fields = WebFixture.ours
    fields.append(try #require(HTTPFieldName("X-Console-Script")), "1")
    for path in ["/flags/extra", "/clear", "/undo"] {
      #expect(try await web.ask(.get, path).status == .seeOther)
      let shown = try await web.ask(.get, path, fields)
      #expect(shown.status == .noContent && shown.fields[.location] == (path == "/flags/extra" ? "\(path)/edit" : "/"))
    }
  }

  @Test("The number of browsers that are remembered is limited, and the one away for longest is forgotten")
  func forgetsBrowsers() async throws {
    let pages = try FlagConsolePages(WebFixture().console, access: .server)
    let (first, second) = (Browser(pages), Browser(pages))
    for browser in [first, second] { _ = await browser.send("POST", "/user", "id=ana") }
    for _ in 1..<ConsoleVisitors.maximum {
      _ = await Browser(pages).send("GET", "/share")
      _ = await second.send("GET", "/share")
    }
    #expect(await second.send("GET", "/").text.contains("<span class=\"ellipsis\">ana</span></summary>"))
    #expect(await first.send("GET", "/").text.contains("<span class=\"ellipsis\">Visitor</span></summary>"))
  }

  @Test("Nothing that another port of this machine is sent opens the console", arguments: ["/", "/console", "/start"])
  func keepsFromOtherPorts(path: String) async throws {
    let pages = try FlagConsolePages(WebFixture().console)
    let opening = Browser(pages)
    let opened = await opening.send("GET", pages.start)
    let cookie = try #require(opened.cookie)
    // A browser sends a cookie to other ports, too, but only below its path, which they do not learn.
    let cookiePath = try #require(cookie.firstMatch(of: /Path=([^;]+)/)).1
    #expect(cookiePath.count == 33 && !path.hasPrefix(cookiePath) && !cookie.contains("Domain"))
    #expect(opened.text.contains("\(cookiePath)/"))
    // Both the path and the cookie are needed, and the link is used up.
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(await Browser(pages, cookie: pair).send("GET", path).status == 404)
    #expect(await Browser(pages).send("GET", "\(cookiePath)/").status == 401)
    #expect(await Browser(pages).send("GET", pages.start).status == 401)
    #expect(await Browser(pages, cookie: pair).send("GET", "\(cookiePath)/").status == 200)
  }
}

/// A browser that keeps a cookie, and names a person to the app's policy.
final class Browser: Sendable {
  private let pages: FlagConsolePages
  let cookie: Locked<String?>
  let person: Locked<String?>

  init(_ pages: FlagConsolePages, cookie: String? = nil, person: String? = nil) {
    self.pages = pages
    self.cookie = Locked(cookie)
    self.person = Locked(person)
  }

  func send(
    _ method: String, _ target: String, _ form: String = ""
  ) async -> (status: Int, text: String, cookie: String?) {
    var fields: [FlagConsolePages.Field] = [.init("Host", "localhost:1"), .init("Origin", "http://localhost:1")]
    if let cookie = cookie.withLock({ $0 }) { fields.append(.init("Cookie", cookie)) }
    if let person = person.withLock({ $0 }) { fields.append(.init("X-Person", person)) }
    let response = await pages.response(to: .init(method, target, fields: fields, body: Array(form.utf8)))
    let set = response.fields.first { $0.name == "Set-Cookie" }?.value
    if let set { cookie.withLock { $0 = String(set.prefix { $0 != ";" }) } }
    guard case .bytes(let bytes) = response.body else { return (response.status, "", set) }
    return (response.status, String(decoding: bytes, as: UTF8.self), set)
  }
}

@Suite("Odd flags in a console")
struct OddFlagTests {
  @Test(
    "Every key opens its flag, also those that paths cannot have",
    arguments: [".", "..", "~", "~.", "a/b", "a\u{1}", "é"])
  func opens(key: String) async throws {
    let name = key.replacing("\u{1}", with: "\\u0001")
    let document = #"{"flags": {"\#(name)": {"state": "ENABLED", "variants": {"a": 1}}}}"#
    let definitions = try InMemoryDefinitionStore(document)
    let catalogs = try #require(definitions.current.map { FlagCatalog.catalogs(of: $0.document, named: "f") })
    let web = try WebFixture(catalogs: catalogs, document: document)
    let list = try await web.ask(.get, "/").text
    let path = try #require(list.firstMatch(of: /href="(\/flags\/[^"]+)"/)).1
    let components = path.split(separator: "/")
    #expect(components.count == 2 && ![".", ".."].contains(components[1]))
    let page = try await web.ask(.get, String(path))
    #expect(page.status == .ok && page.text.contains("id=\"value\""))
    let set = try await web.ask(.post, "\(path)/override", form: ["value": "1"])
    #expect(set.status == .seeOther && set.fields[.location] == String(path))
    #expect(try await web.ask(.get, "\(path)/edit").status == .ok)
  }

  @Test("Bidirectional controls are shown by name, and sent back as they are")
  func showsControls() async throws {
    let flag = Flag("a\u{202E}b", default: "x\u{2066}y", FlagMetadata("d\u{200F}e", displayName: "n\u{061C}m"))
    let web = try WebFixture(catalogs: [FlagCatalog("shop", items: [.flag(flag)])])
    let list = try await web.ask(.get, "/").text
    for name in ["a‹U+202E›b", "x‹U+2066›y", "d‹U+200F›e", "n‹U+061C›m"] { #expect(list.contains(name)) }
    let path = "/flags/\(PercentEncoding.encode("a\u{202E}b"))"
    let detail = try await web.ask(.get, path).text
    #expect(detail.contains("value=\"x\u{2066}y\"") && detail.contains("<p class=\"big\">x‹U+2066›y</p>"))
    for page in [list, detail] {
      let shown = page.replacing(/\svalue="[^"]*"/, with: "")
      #expect(!shown.unicodeScalars.contains { [0x202E, 0x2066, 0x200F, 0x061C].contains($0.value) })
    }
  }

  @Test("A large value is shortened in lists, and whole where it is edited and on a page of its own")
  func shortens() async throws {
    let large = String(repeating: "x", count: 900_000)
    let flag = Flag("large", default: large, FlagMetadata(large, owner: large))
    let web = try WebFixture(catalogs: [FlagCatalog("shop", items: [.flag(flag)])])
    #expect(try await web.ask(.get, "/").body.count < 12_000)
    let detail = try await web.ask(.get, "/flags/large")
    #expect(detail.body.count < 2_000_000 && detail.text.contains("The whole value, 900000 characters"))
    #expect(try await web.ask(.get, "/flags/large/value").text == large)
  }
}

import FlagConsole
import FlagDomain
import FlagHTTP
import FlagProviders
import Testing

@testable import FlagConsoleWeb

@Suite("Pages of the console in another server")
struct MountTests {
  @Test("Below a path every link, form, redirect, script and cookie is below it, and nothing beside it is answered")
  func staysBelow() async throws {
    let web = try WebFixture(at: try ConsolePlace(path: "/admin/flags", origin: nil))
    let link: HTTPFields = [.host: "127.0.0.1:1"]
    let start = try await web.ask(.get, "/admin/flags/start?token=token", link)
    #expect(start.fields[.setCookie] == "console-n=session; Path=/admin/flags; HttpOnly; SameSite=Strict")
    #expect(start.text.contains("url=/admin/flags/\""))
    var pages = [start.text]
    let paths = [
      "", "?q=page&provider=local", "flags/page-size", "flags/new-profile/edit", "share", "flags/gone", "history",
    ]
    for path in paths {
      pages.append(try await web.ask(.get, "/admin/flags/\(path)").text)
    }
    try web.console.override("page-size", with: 30)
    pages.append(try await web.ask(.get, "/admin/flags/").text)
    for page in pages {
      let addresses = page.matches(of: /(?:href|src|action|formaction|data-review)="([^"]*)"/).map(\.1)
      #expect(addresses.count > 1)
      #expect(addresses.allSatisfy { $0.hasPrefix("/admin/flags/") || $0.hasPrefix("#") }, "\(addresses)")
    }
    #expect(pages[1].contains("data-base=\"/admin/flags\""))
    let set = try await web.ask(.post, "/admin/flags/flags/page-size/override", form: ["value": "40"])
    #expect(set.status == .seeOther && set.fields[.location] == "/admin/flags/flags/page-size")
    #expect(try await web.ask(.post, "/admin/flags/undo").fields[.location] == "/admin/flags/")
    #expect(try await web.ask(.get, "/admin/flags").fields[.location] == "/admin/flags/")
    for path in ["/", "/admin/", "/share", "/admin/flagship"] {
      #expect(try await web.ask(.get, path).status == .notFound)
    }
    for path in ["console.css", "icon.svg"] {
      #expect(try await web.ask(.get, "/admin/flags/\(path)", link).status == .ok)
      #expect(try await web.ask(.get, "/\(path)", link).status == .unauthorized)
    }
  }

  @Test("Any server's requests are answered: by the link and its cookie, for this machine alone")
  func answersByLink() async throws {
    let web = try WebFixture()
    let pages = try FlagConsolePages(web.console, at: "/flags/")
    let host = FlagConsolePages.Field("host", "localhost:8080")
    let base = try #require(pages.start.firstMatch(of: /^\/flags\/[0-9a-f]{32}(?=\/start\?token=)/)).0
    for path in ["/flags", "/flags/", "\(base)/", "/flags/\(String(repeating: "0", count: 32))/"] {
      let closed = await pages.text("GET", path, [host])
      #expect(closed.status == 401 && !closed.text.contains(base), "\(path)")
    }
    #expect(await pages.text("GET", "/flags/console.css", [host]).status == 200)
    #expect(await pages.text("HEAD", pages.start, [host]) == Answer(status: 200, text: ""))
    let opened = await pages.response(to: .init("GET", pages.start, fields: [host]))
    let cookie = try #require(opened.fields.first { $0.name == "Set-Cookie" }?.value.split(separator: ";").first)
    let fields = [host, .init("Cookie", String(cookie))]
    #expect(opened.fields.first { $0.name == "Set-Cookie" }?.value.contains("; Path=\(base); HttpOnly;") == true)
    let page = await pages.text("GET", "\(base)/", fields)
    #expect(page.status == 200 && page.text.contains("id=\"\(base)/flags/page-size\""))
    #expect(await pages.text("HEAD", "\(base)/", fields) == Answer(status: 200, text: ""))
    let form = Array("value=40".utf8)
    #expect(await pages.text("POST", "\(base)/flags/page-size/override", fields, form).status == 403)
    let ours = fields + [.init("Origin", "http://localhost:8080")]
    #expect(await pages.text("POST", "\(base)/flags/page-size/override", ours, form).status == 303)
    #expect(web.console.row("page-size")?.value == 40)
    #expect(await pages.text("GET", "\(base)/", [.init("Host", "example.com"), fields[1]]).status == 421)
    #expect(await pages.text("NO METHOD", "\(base)/", fields).status == 400)
  }

  @Test("A server with a login and a name of its own is trusted with who comes, not with foreign hosts and forms")
  func answersBehindLogin() async throws {
    let web = try WebFixture()
    let pages = try FlagConsolePages(web.console, at: "/flags", origin: "https://example.com", access: .server)
    #expect(pages.start == "/flags/")
    let host = FlagConsolePages.Field("Host", "example.com")
    #expect(await pages.text("GET", "/flags/", [host]).status == 200)
    #expect(await pages.text("GET", "/flags/", [.init("Host", "127.0.0.1:1")]).status == 421)
    let path = "/flags/flags/page-size/clear"
    for origin in ["http://example.com", "https://evil.example", "null", "https://example.com:444"] {
      #expect(await pages.text("POST", path, [host, .init("Origin", origin)]).status == 403)
    }
    #expect(await pages.text("POST", path, [host]).status == 403)
    #expect(await pages.text("POST", path, [host, .init("Origin", "https://example.com")]).status == 303)
    let linked = try FlagConsolePages(web.console, origin: "https://example.com")
    let opened = await linked.response(to: .init("GET", linked.start, fields: [host]))
    #expect(
      opened.fields.first { $0.name == "Set-Cookie" }?.value
        .contains(/; Path=\/[0-9a-f]{32}; HttpOnly; SameSite=Strict; Secure$/) == true)
  }

  @Test("A variant that the user keeps is on the flag's page, and ends by a button")
  func assignsAnew() async throws {
    let store = InMemoryStickyBuckets()
    store.save(["page-size__0": "<large>"], of: StickyBucketUnit(attribute: "targetingKey", value: "ann"))
    let web = try WebFixture(stickyBuckets: store)
    #expect(try await !web.ask(.get, "/flags/page-size").text.contains("keeps the variant"))
    try web.console.signIn(FlagUser(id: "ann"))
    let page = try await web.ask(.get, "/flags/page-size").text
    #expect(page.contains("keeps the variant &lt;large&gt;.") && page.contains("action=\"/flags/page-size/assign\""))
    #expect(try await web.ask(.post, "/flags/page-size/assign").status == .seeOther)
    #expect(store.assignments.isEmpty)
    #expect(try await !web.ask(.get, "/flags/page-size").text.contains("keeps the variant"))
  }

  @Test("Events are a stream that begins with the newest and goes on with each change")
  func streams() async throws {
    let web = try WebFixture()
    let pages = try FlagConsolePages(web.console, at: "/flags", access: .server)
    let response = await pages.response(to: .init("GET", "/flags/events", fields: [.init("Host", "localhost")]))
    guard case .events(let events) = response.body else {
      Issue.record("expected events, found \(response.status)")
      return
    }
    #expect(response.fields.contains(.init("Content-Type", "text/event-stream; charset=utf-8")))
    #expect(await pages.text("HEAD", "/flags/events", [.init("Host", "localhost")]) == Answer(status: 200, text: ""))
    var iterator = events.makeAsyncIterator()
    let revision = web.console.revision
    #expect(
      await iterator.next().map { String(decoding: $0, as: UTF8.self) } == "id: \(revision)\ndata: \(revision)\n\n")
    try web.console.override("page-size", with: 40)
    let next = web.console.revision
    #expect(await iterator.next().map { String(decoding: $0, as: UTF8.self) } == "id: \(next)\ndata: \(next)\n\n")
  }

  @Test(
    "An invalid path or origin is refused with the expected form",
    arguments: [
      ("flags", nil, "expected a path of letters, digits and -._~ as “/admin/flags”, found “flags”"),
      ("/a//b", nil, "expected a path of letters, digits and -._~ as “/admin/flags”, found “/a//b”"),
      ("/{key}", nil, "expected a path of letters, digits and -._~ as “/admin/flags”, found “/{key}”"),
      ("/a/..", nil, "expected a path of letters, digits and -._~ as “/admin/flags”, found “/a/..”"),
      ("/a", "example.com", "expected an origin as “https://flags.example.com”, found “example.com”"),
      ("", "https://example.com/", "expected an origin as “https://flags.example.com”, found “https://example.com/”"),
      ("", "https://Example.com", "expected an origin as “https://flags.example.com”, found “https://Example.com”"),
    ] as [(String, String?, String)])
  func refuses(path: String, origin: String?, message: String) throws {
    let console = try WebFixture().console
    let failure = #expect(throws: FlagConsoleError.self) {
      try FlagConsolePages(console, at: path, origin: origin)
    }
    #expect(failure?.description == message)
  }
}

private struct Answer: Equatable {
  let status: Int
  let text: String
}

extension FlagConsolePages {
  fileprivate func text(
    _ method: String, _ target: String, _ fields: [Field], _ body: [UInt8] = []
  ) async -> Answer {
    let response = await response(to: Request(method, target, fields: fields, body: body))
    guard case .bytes(let bytes) = response.body else { return Answer(status: response.status, text: "events") }
    return Answer(status: response.status, text: String(decoding: bytes, as: UTF8.self))
  }
}

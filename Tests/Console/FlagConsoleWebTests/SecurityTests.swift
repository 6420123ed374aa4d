import FlagConsole
import FlagDomain
import FlagHTTP
import FlagServer
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagConsoleWeb

@Suite("Security of the console")
struct SecurityTests {
  @Test("The link opens one browser, once; its cookie is kept from scripts and from other sites")
  func opensOnce() async throws {
    let web = try WebFixture()
    let link: HTTPFields = [.host: "127.0.0.1:1"]
    #expect(try await web.ask(.get, "/", link).status == .unauthorized)
    #expect(try await web.ask(.get, "/start?token=guess", link).status == .unauthorized)
    let first = try await web.ask(.get, "/start?token=token", link)
    #expect(first.status == .ok)
    #expect(first.fields[.setCookie] == "console-n=session; Path=/; HttpOnly; SameSite=Strict")
    let second = try await web.ask(.get, "/start?token=token", link)
    #expect(second.status == .unauthorized && second.fields[.setCookie] == nil)
    #expect(try await web.ask(.get, "/start?token=token").status == .ok)
    #expect(try await web.ask(.get, "/").status == .ok)
  }

  @Test(
    "A request of another host, another origin or without the cookie is refused, and changes nothing",
    arguments: [
      ([.host: "evil.example:1", .cookie: "console-n=session"], .misdirectedRequest),
      ([.host: "127.0.0.1:1", .cookie: "console-n=session", .origin: "http://evil.example"], .forbidden),
      ([.host: "127.0.0.1:1", .cookie: "console-n=session", .origin: "http://127.0.0.1:2"], .forbidden),
      ([.host: "127.0.0.1:1", .cookie: "console-n=session", .origin: "null"], .forbidden),
      ([.host: "127.0.0.1:1", .cookie: "console-n=session"], .forbidden),
      ([.host: "127.0.0.1:1", .origin: "http://127.0.0.1:1"], .unauthorized),
      ([.host: "127.0.0.1:1", .origin: "http://127.0.0.1:1", .cookie: "console-n=x"], .unauthorized),
    ] as [(HTTPFields, HTTPStatus)])
  func refuses(fields: HTTPFields, status: HTTPStatus) async throws {
    let web = try WebFixture()
    for path in ["/flags/new-profile/override", "/clear", "/user", "/flags/new-profile/definition", "/import"] {
      let response = try await web.ask(.post, path, fields, form: ["value": "true", "overrides": "{}"])
      #expect(response.status == status)
    }
    #expect(web.console.row("new-profile")?.isOverridden == false)
  }

  @Test(
    "Without the cookie only the style sheet is served", arguments: ["/", "/flags/x", "/events", "/export.json"])
  func tellsNothing(path: String) async throws {
    let web = try WebFixture()
    #expect(try await web.ask(.get, path, [.host: "localhost:1"]).status == .unauthorized)
    #expect(try await web.ask(.get, "/console.css", [.host: "localhost:1"]).status == .ok)
  }

  @Test("Every response forbids scripts and styles within pages, framing, sniffing and caching")
  func setsFields() async throws {
    let web = try WebFixture()
    for path in ["/", "/gone", "/console.js", "/start?token=x"] {
      let message = HTTPRequest(.get, path, fields: [.host: "evil.example"])
      guard case .reply(let refused) = web.service.plan(message, from: .init(address: "127.0.0.1", port: 1)) else {
        Issue.record("\(path) is answered")
        continue
      }
      let policy = try #require(refused.fields[.contentSecurityPolicy])
      #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe") && !policy.contains("*"))
      #expect(refused.fields[.contentTypeOptions] == "nosniff" && refused.fields[.cacheControl] == "no-store")
    }
  }

  @Test(
    "Browsers keep a file at the address of its content, and nothing else", arguments: ["console.css", "console.js"])
  func keepsFiles(name: String) async throws {
    let web = try WebFixture()
    func caching(of path: String) async -> String? {
      let reply = await web.service.reply(to: HTTPRequest(.get, path, fields: WebFixture.ours))
      guard case .response(let response) = reply, response.status == .ok else { return nil }
      return response.fields[.cacheControl]
    }
    let page = try await web.ask(.get, "/").text
    let version = try #require(page.firstMatch(of: try Regex("/\(name)\\?v=([0-9a-f]{32})\""))?[1].substring)
    #expect(await caching(of: "/\(name)?v=\(version)") == "private, max-age=31536000, immutable")
    for path in ["/\(name)", "/\(name)?v=0", "/?v=\(version)", "/flags/new-profile?v=\(version)"] {
      #expect(await caching(of: path) == "no-store", "\(path)")
    }
  }

  @Test("Script in names, descriptions, values, users, queries and diagnostics stays text")
  func escapes() async throws {
    let evil = #"</script><script>alert(1)</script>"><img src=x onerror=alert(1)>'"#
    let key = FlagKey(validating: evil.filter { !$0.isWhitespace }) ?? "key"
    let flag = Flag(
      key, default: evil,
      FlagMetadata(
        evil, displayName: evil, owner: evil,
        presentation: FlagPresentation(icon: evil, suggestions: [.string(evil)], userInfo: [evil: .string(evil)])))
    let (rule, text): (FlagValue, FlagValue) = (
      ["if": [["==": [["var": .string(evil)], .string(evil)]], .string(evil), .null]], .string(evil)
    )
    let definition: [String: FlagValue] = [
      "state": "ENABLED", "variants": .object([evil: text]), "defaultVariant": text, "targeting": rule,
      "metadata": .object([evil: text]),
    ]
    let document = FlagValue.object(["flags": .object([key.name: .object(definition)])]).description
    let web = try WebFixture(
      catalogs: [FlagCatalog(evil, FlagMetadata(evil), items: [.flag(flag)])], document: document
    ) { options in
      options.testUsers = [FlagUser(id: evil, countryCode: evil, segments: [evil], attributes: [evil: .string(evil)])]
      options.mark = { _ in FlagMark(evil, .red) }
    }
    try web.console.signIn(web.console.options.testUsers[0])
    let path = "/flags/\(PercentEncoding.encode(key.name))"
    try web.console.override(key.name, with: .string(evil))
    let query = PercentEncoding.encode(evil)
    var pages: [HTTPResponse] = []
    let targets = [
      "/", "/?q=\(query)&group=\(query)&provider=\(query)&state=\(query)", path, "\(path)/edit", "/share",
      "/flags/\(query)",
    ]
    for target in targets {
      pages.append(try await web.ask(.get, target))
    }
    let split = FlagValue.object(["fractional": [[text, 1], ["b", 1]]]).description
    let shares = ["rule": split, "was-0-0": "1", "was-0-1": "1", "share-0-0": evil, "slider-0-1": evil, "state": evil]
    for form in [shares, ["rule": evil], ["rule": #"{"\#(evil.replacing("\"", with: "\\\""))": 1}"#, "default": evil]] {
      pages.append(try await web.ask(.post, "\(path)/review", form: form))
      pages.append(try await web.ask(.post, "\(path)/definition", form: form))
    }
    pages.append(try await web.ask(.post, "/user", form: ["id": evil, "attributes": evil]))
    for page in pages {
      #expect(!page.text.contains("<script>") && !page.text.contains("<img") && !page.text.contains("'\"><"))
      #expect(page.text.contains("&lt;script&gt;") || page.status.code == 303)
    }
  }

  @Test("Secrets are random, and the server listens on this machine alone")
  func makesSecrets() async throws {
    let console = try WebFixture().console
    let (one, other) = (try FlagConsoleServer(console), try FlagConsoleServer(console))
    let tokens = [one, other].map { $0.url.split(separator: "=").last ?? "" }
    #expect(tokens[0] != tokens[1] && tokens.allSatisfy { $0.count == 32 })
    #expect(one.url.hasPrefix("http://127.0.0.1:"))
    await one.stop()
    await other.stop()
  }

  @Test("A console whose socket the system closes can be reached again on its port, and says both in its log")
  func listensAgain() async throws {
    let lines = Mutex<[String]>([])
    let server = try FlagConsoleServer(try WebFixture().console) { line in lines.withLock { $0.append(line) } }
    let port = try #require(server.url.firstMatch(of: /:(\d+)\//).flatMap { Int($0.1) })
    #expect(shutDownListeners(at: port) == 1)
    try await waitUntil { lines.withLock { $0.count } >= 2 }
    let client = try connectedSocket(port: port)
    defer { close(client) }
    let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
    #expect(write(client, request, request.count) == request.count)
    var answer = [UInt8](repeating: 0, count: 9)
    let count = read(client, &answer, answer.count)
    #expect(count > 0 && "HTTP/1.1 ".hasPrefix(String(decoding: answer.prefix(count), as: UTF8.self)))
    await server.stop()
    let logged = lines.withLock { $0 }
    #expect(logged.first?.hasPrefix("the console: the system closed the listening socket: accept: ") == true)
    #expect(logged.dropFirst() == ["the console: listening again on port \(port)"])
  }
}

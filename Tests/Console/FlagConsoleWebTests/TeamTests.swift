import FlagConsole
import FlagConsoleEditor
import FlagDomain
import FlagHTTP
import FlagServer
import Testing

@testable import FlagConsoleWeb

@Suite("A team behind a proxy that signs people in")
struct TeamTests {
  @Test(
    "A person is who a trusted proxy names, once; anyone else sees nothing of a flag",
    arguments: [
      ("10.0.0.7", "", ["ana@example.com"], true), ("10.0.0.7", "203.0.113.9", ["ana@example.com"], true),
      ("10.0.0.7", "10.0.0.8", ["ana@example.com"], true), ("10.0.0.7", "no address", ["ana@example.com"], true),
      // It does not come from the proxy, whatever it says of one.
      ("203.0.113.9", "", ["ana@example.com"], false), ("203.0.113.9", "10.0.0.7", ["ana@example.com"], false),
      ("11.0.0.7", "", ["ana@example.com"], false), ("", "", ["ana@example.com"], false),
      // None, several, and what a proxy makes of several.
      ("10.0.0.7", "", [], false), ("10.0.0.7", "", [""], false),
      ("10.0.0.7", "", ["ana@example.com", "eve@example.com"], false),
      ("10.0.0.7", "", ["ana@example.com", "ana@example.com"], false),
      ("10.0.0.7", "", ["ana@example.com,eve@example.com"], false), ("10.0.0.7", "", ["ana eve"], false),
      ("10.0.0.7", "", [String(repeating: "a", count: 255)], false),
      // Someone whom the proxy lets in, and the team does not know.
      ("10.0.0.7", "", ["stranger@example.com"], false),
    ] as [(String, String, [String], Bool)])
  func knows(address: String, forwarded: String, names: [String], isLetIn: Bool) async throws {
    let web = try WebFixture()
    let service = try Self.service(of: web)
    for path in ["/", "/flags/new-profile", "/events", "/console.js", "/export.json", "/nothing"] {
      var fields = Self.fields(names)
      if !forwarded.isEmpty { fields.append(.forwardedFor, forwarded) }
      let answer = try await Self.ask(service, .get, path, fields, from: address)
      #expect((answer.status == .unauthorized) == !isLetIn, "\(path)")
      #expect(isLetIn || !answer.text.contains("new-profile") && answer.text.contains("You have no access"))
    }
    var fields = Self.fields(names)
    fields.append(.origin, Self.origin)
    let form = ["value": "true"]
    _ = try await Self.ask(service, .post, "/flags/new-profile/override", fields, form: form, from: address)
    #expect((web.console.row("new-profile")?.storedOverride != nil) == isLetIn)
  }

  @Test("Another host and forms of other pages are refused, also through the proxy")
  func refusesOtherSites() async throws {
    let web = try WebFixture()
    let service = try Self.service(of: web)
    var foreign = Self.fields(["ana@example.com"])
    foreign[.host] = "evil.example"
    #expect(try await Self.ask(service, .get, "/", foreign).status == .misdirectedRequest)
    for origin in ["https://evil.example", "http://flags.example.com", "null", nil] {
      var fields = Self.fields(["ana@example.com"])
      fields[.origin] = origin
      let answer = try await Self.ask(service, .post, "/flags/new-profile/override", fields, form: ["value": "true"])
      #expect(answer.status == .forbidden)
    }
    #expect(web.console.row("new-profile")?.storedOverride == nil)
  }

  @Test("What a person did is undone by no one else, also with their cookie; who may only look changes nothing")
  func separatesPeople() async throws {
    let web = try WebFixture()
    let service = try Self.service(of: web)
    func send(_ name: String, _ path: String, cookie: String? = nil, form: [String: String]? = nil) async throws
      -> HTTPResponse
    {
      var fields = Self.fields([name])
      (fields[.origin], fields[.cookie]) = (Self.origin, cookie)
      return try await Self.ask(service, form == nil ? .get : .post, path, fields, form: form ?? [:])
    }
    let list = try await send("ana@example.com", "/")
    let cookie = try #require(list.fields[.setCookie])
    #expect(cookie.contains("; HttpOnly; SameSite=Lax; Secure") && list.text.contains("ana@example.com"))
    let own = String(cookie.prefix { $0 != ";" })
    _ = try await send("ana@example.com", "/flags/page-size/override", cookie: own, form: ["value": "40"])
    #expect(web.console.row("page-size")?.value == 40)
    let other = try await send("bo@example.com", "/", cookie: own)
    #expect(other.fields[.setCookie] != nil && !other.text.contains("id=\"undo\""))
    _ = try await send("bo@example.com", "/undo", cookie: own, form: [:])
    _ = try await send("vera@example.com", "/undo", cookie: own, form: [:])
    let refused = try await send("vera@example.com", "/flags/page-size/override", form: ["value": "60"])
    #expect(refused.status != .seeOther && web.console.row("page-size")?.value == 40)
    #expect(try await send("vera@example.com", "/flags/page-size").text.contains("vera@example.com may look at flags"))
    _ = try await send("ana@example.com", "/undo", cookie: own, form: [:])
    #expect(web.console.row("page-size")?.value == 25)
  }

  private static let origin = "https://flags.example.com"

  private static let proxies: TrustedProxies = {
    var proxies = TrustedProxies()
    _ = proxies.add("10.0.0.0/8")
    return proxies
  }()

  private static func service(of web: WebFixture) throws -> Service {
    let field = try #require(HTTPFieldName("X-Forwarded-Email"))
    let team = ConsoleTeam(at: "127.0.0.1", behind: proxies, origin: origin, field: field) { name in
      switch name {
      case "ana@example.com", "bo@example.com": FlagConsolePerson(name, may: .edit)
      case "vera@example.com": FlagConsolePerson(name, may: .view)
      default: nil
      }
    }
    let place = try ConsolePlace(path: "", origin: origin)
    let gate = ConsoleGate(token: "token", session: "session", name: "n", at: place, isOpen: true)
    let number = Locked(0)
    let cookie = ConsoleVisitors.Cookie(name: "console-n") {
      number.withLock { number in
        number += 1
        return "visit-\(number)"
      }
    }
    return ConsoleService(web.console, gate, at: place, sessions: cookie).service(for: team)
  }

  private static func fields(_ names: [String]) -> HTTPFields {
    var fields: HTTPFields = [.host: "flags.example.com"]
    for (index, name) in names.enumerated() {
      guard let field = HTTPFieldName(index == 0 ? "X-Forwarded-Email" : "x-forwarded-EMAIL") else { continue }
      fields.append(field, name)
    }
    return fields
  }

  private static func ask(
    _ service: Service, _ method: HTTPMethod, _ path: String, _ fields: HTTPFields, form: [String: String] = [:],
    from address: String = "10.0.0.7"
  ) async throws -> HTTPResponse {
    try await WebFixture.ask(service, method, path, fields, form: form, from: address, proxies: proxies)
  }
}

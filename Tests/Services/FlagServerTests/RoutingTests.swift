import FlagHTTP
import FlagServer
import Testing

@Suite("Routing")
struct RoutingTests {
  @Test(
    "A request finds the first route of its method and path",
    arguments: [
      ("GET", "/flags/new", "new", [:]), ("GET", "/flags/a%2Fb", "/flags/{key}", ["key": "a/b"]),
      ("HEAD", "/flags/x", "/flags/{key}", ["key": "x"]), ("POST", "/flags/new", "/flags/{key}", ["key": "new"]),
      ("GET", "/", "/", [:]), ("HEAD", "/both", "/both", [:]),
    ] as [(String, String, String, [String: String])])
  func finds(method: String, target: String, pattern: String, parameters: [String: String]) throws {
    let match = Self.router.match(try #require(HTTPMethod(method)), try #require(RequestTarget(target)).path)
    guard case .found(let route, let found) = match else {
      Issue.record("\(match)")
      return
    }
    #expect(route.pattern.text == pattern || route.pattern.text == "/flags/\(pattern)")
    #expect(found == parameters)
  }

  @Test(
    "A path that is known answers other methods with those that it has",
    arguments: [("DELETE", "/flags/new", "GET, HEAD, POST, OPTIONS"), ("GET", "/post", "POST, OPTIONS")])
  func tellsMethods(method: String, target: String, allowed: String) throws {
    let service = Service(Self.routes)
    let message = HTTPRequest(try #require(HTTPMethod(method)), target)
    let response = try #require(answer(service.plan(message, from: .test)))
    #expect(response.status == .methodNotAllowed)
    #expect(response.fields[.allow] == allowed)
  }

  @Test(
    "What has no route is not found, and what leads elsewhere is refused",
    arguments: [
      ("/flags", 404), ("/flags/", 404), ("/flags//", 404), ("/flags/a/b", 404), ("//", 404), ("/flags/..", 400),
      ("/flags/%2e%2e/%2e%2e/etc/passwd", 400), ("/flags/%zz", 400),
    ])
  func refuses(target: String, status: Int) throws {
    let response = try #require(answer(Service(Self.routes).plan(HTTPRequest(.get, target), from: .test)))
    #expect(response.status.code == status)
  }

  @Test("A question for methods is answered, of one path and of the server")
  func answersOptions() throws {
    let service = Service(Self.routes)
    let ofPath = try #require(answer(service.plan(HTTPRequest(.options, "/post"), from: .test)))
    #expect(ofPath == HTTPResponse(.noContent, fields: [.allow: "POST, OPTIONS"]))
    #expect(answer(service.plan(HTTPRequest(.options, "*"), from: .test)) == HTTPResponse(.noContent))
  }

  private static let nothing = RequestHandler.immediate { _ in .response(HTTPResponse(.ok)) }
  private static let routes: [Router.Route] = [
    .init(.get, "/", nothing), .init(.get, "/flags/new", nothing), .init(.get, "/flags/{key}", nothing),
    .init(.post, "/flags/{key}", nothing), .init(.post, "/post", nothing), .init(.get, "/both", nothing),
    .init(.head, "/both", nothing),
  ]
  private static let router = Router(routes)
}

@Suite("Middleware")
struct MiddlewareTests {
  @Test(
    "A request for a foreign host is refused",
    arguments: [
      ("localhost:80", true), ("127.0.0.1", true), ("[::1]:1", true), ("LOCALHOST", true),
      ("flags.example.com:443", true),
      ("evil.example.com", false), ("127.0.0.1.example.com", false), ("10.0.0.1", false), ("[::2]", false),
    ])
  func checksHosts(host: String, isAllowed: Bool) {
    let policy = HostPolicy(allowsLoopback: true, names: ["Flags.example.com"])
    #expect(policy.allows(HTTPHost(host)) == isAllowed)
    let plan = service(.hosts(policy)).plan(HTTPRequest(.get, "/open", fields: [.host: host]), from: .test)
    #expect(answer(plan)?.status == (isAllowed ? nil : .misdirectedRequest))
  }

  @Test("Without loopback, only the names count; a host that cannot be read never does")
  func checksNames() {
    let policy = HostPolicy(allowsLoopback: false, names: ["a"])
    #expect(["a", "localhost", "a b"].map { policy.allows(HTTPHost($0)) } == [true, false, false])
  }

  @Test(
    "The address that a client is connected to is a host of this machine, and no other address is",
    arguments: [
      ("10.244.0.5:8016", "10.244.0.5", true), ("[FD00::5]:8016", "fd00::5", true), ("10.244.0.6", "10.244.0.5", false),
      ("evil.example", "10.244.0.5", false), ("10.244.0.5", "", false), ("localhost", "10.244.0.5", true),
    ])
  func checksOwnAddress(host: String, local: String, isAllowed: Bool) {
    var peer = Peer.test
    peer.local = local
    let hosts = service(.hosts(HostPolicy(allowsLoopback: true, allowsOwnAddress: true), except: [["healthz"]]))
    let fields: HTTPFields = [.host: host]
    let plan = hosts.plan(HTTPRequest(.get, "/open", fields: fields), from: peer)
    #expect(answer(plan)?.status == (isAllowed ? nil : .misdirectedRequest))
    #expect(answer(hosts.plan(HTTPRequest(.get, "/healthz", fields: fields), from: peer)) == nil)
    #expect(answer(hosts.plan(HTTPRequest(.get, "/healthz"), from: peer)) == nil)
    #expect(answer(hosts.plan(HTTPRequest(.get, "/open"), from: peer))?.status == .misdirectedRequest)
  }

  @Test(
    "A request without the token is refused",
    arguments: [
      ("Bearer one", true), ("bearer two", true), ("Bearer  one", false), ("Bearer on", false), ("Bearer ", false),
      ("Bearer", false), ("Basic one", false), ("one", false), ("", false),
    ])
  func checksTokens(authorization: String, isAllowed: Bool) {
    let service = service(.tokens(TokenPolicy(tokens: ["one", "two", ""]), except: [["healthz"]]))
    let refused = answer(service.plan(request("/open", .authorization, authorization), from: .test))
    #expect(refused?.status == (isAllowed ? nil : .unauthorized))
    #expect(refused?.fields[.wwwAuthenticate] == (isAllowed ? nil : "Bearer"))
    #expect(answer(service.plan(request("/healthz", .authorization, authorization), from: .test)) == nil)
  }

  @Test("Without a token nobody may ask")
  func refusesAll() {
    #expect(!TokenPolicy(tokens: [""]).allows(request("/", .authorization, "Bearer ")))
    #expect(!TokenPolicy(tokens: []).allows(HTTPRequest(.get, "/")))
  }

  @Test(
    "A page of an allowed origin may read, and caches get the fields for it",
    arguments: [
      (["https://a"], "https://a", "https://a", "Origin"), (["https://a"], "https://b", nil, "Origin"),
      (["*"], "https://b", "*", nil), ([], "null", nil, "Origin"),
    ] as [(Set<String>, String, String?, String?)])
  func decorates(origins: Set<String>, origin: String, allowed: String?, vary: String?) {
    var fields: HTTPFields = [:]
    CrossOriginPolicy(origins: origins).decorate(&fields, for: request("/", .origin, origin))
    #expect(fields[.accessControlAllowOrigin] == allowed)
    #expect(fields[.vary] == vary)
  }

  @Test("A preflight request gets the permissions of a page", arguments: [("https://a", true), ("https://b", false)])
  func answersPreflights(origin: String, isAllowed: Bool) throws {
    var request = HTTPRequest(.options, "/open", fields: [.origin: origin])
    request.fields.append(.accessControlRequestMethod, "POST")
    let plan = service(.crossOrigin(CrossOriginPolicy(origins: ["https://a"]))).plan(request, from: .test)
    let preflight = try #require(answer(plan))
    #expect(preflight.status == .noContent)
    #expect(preflight.fields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
    #expect(preflight.fields[.accessControlAllowMethods] == (isAllowed ? "GET, HEAD, POST" : nil))
  }

  @Test(
    "A preflight request gets the header fields that it asks for, as far as they are names",
    arguments: [
      ("Flagd-Selector, traceparent,x-own", "Flagd-Selector, traceparent, x-own"), ("", standard), ("a b", standard),
      ("x\u{e9}", standard), ("a,,b", "a, b"), (String(repeating: "a,", count: 2000), standard),
    ])
  func permitsFields(asked: String, permitted: String) throws {
    var request = HTTPRequest(.options, "/open", fields: [.origin: "https://a"])
    request.fields.append(.accessControlRequestMethod, "POST")
    request.fields.append(.accessControlRequestHeaders, asked)
    let plan = service(.crossOrigin(CrossOriginPolicy(origins: ["https://a"]))).plan(request, from: .test)
    #expect(answer(plan)?.fields[.accessControlAllowHeaders] == permitted)
  }

  private static let standard = "Authorization, Content-Type, If-None-Match, Last-Event-ID, X-API-Key"

  private func request(_ target: String, _ name: HTTPFieldName, _ value: String) -> HTTPRequest {
    HTTPRequest(.get, target, fields: [name: value])
  }

  private func service(_ layer: Middleware) -> Service {
    let nothing = RequestHandler.immediate { _ in .response(HTTPResponse(.ok)) }
    return Service([.init(.get, "/open", nothing), .init(.get, "/healthz", nothing)], middleware: [layer])
  }
}

/// Returns the answer of a plan that has one without a handler.
private func answer(_ plan: Service.Plan) -> HTTPResponse? {
  if case .reply(let response) = plan { response } else { nil }
}

extension Peer {
  fileprivate static let test = Peer(address: "127.0.0.1", port: 1)
}

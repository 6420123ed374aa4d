import FlagDomain
import FlagHTTP
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagTransport

/// The transports: the platform's, and Foundation's if that is a different one and compiled, as `FLAGS_TESTS` has it.
enum Sender: CaseIterable, Sendable {
  case system
  #if TESTS_URLSESSION
    case session
  #endif

  /// The bytes that a header and one byte of content count as: a session does not tell the header's size.
  var headAndByte: Int {
    #if canImport(Glibc)
      self == .system ? 39 : 2
    #else
      2
    #endif
  }

  func callAsFunction() -> any CountingTransport {
    switch self {
    case .system: SystemTransport()
    #if TESTS_URLSESSION
      case .session: URLSessionTransport()
    #endif
    }
  }
}

/// A transport that says how many requests are under way.
protocol CountingTransport: HTTPTransport {
  var running: Int { get }
}

extension SystemTransport: CountingTransport {}
#if TESTS_URLSESSION
  extension URLSessionTransport: CountingTransport {}
#endif

@Suite("Client over a network, on loopback", .timeLimit(.minutes(15)))
struct TransportTests {
  private func client(_ transport: any HTTPTransport) -> HTTPClient { HTTPClient(transport, limit: 1000) }

  private func request(_ server: ScriptedServer, _ path: String = "/", fields: HTTPFields = [:]) throws
    -> TransportRequest
  {
    TransportRequest(.get, try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")), fields: fields)
  }

  private func outcome(_ request: TransportRequest, _ client: HTTPClient) async -> Result<HTTPResponse, TransportError>
  {
    do throws(TransportError) {
      return .success(try await client.send(request, timeout: .seconds(600)))
    } catch {
      return .failure(error)
    }
  }

  @Test("A request arrives as it was made, and a response comes back as it was sent", arguments: Sender.allCases)
  func exchanges(sender: Sender) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in
      [.response("207 Multi-Status", ["ETag: \"a\"", "X-Two: 1", "x-two: 2"], body: "hello")]
    }
    var request = try request(server, "/a?b=c", fields: [.ifNoneMatch: "\"x\"", .accept: "text/plain"])
    request.method = .post
    request.body = Array("body".utf8)
    let response = try await client(transport).send(request, timeout: .seconds(600))
    #expect(response.status.code == 207 && response.fields[.eTag] == "\"a\"")
    #expect(String(decoding: response.body, as: UTF8.self) == "hello")
    let text = try #require(server.requests.first)
    #expect(text.hasPrefix("POST /a?b=c HTTP/1.1\r\n") && text.hasSuffix("\r\n\r\nbody"))
    for line in ["if-none-match: \"x\"", "accept: text/plain"] {
      #expect(text.lowercased().contains("\r\n\(line)\r\n"))
    }
    #expect(!text.lowercased().contains("cookie"))
  }

  @Test(
    "A response without content is whole, and its tag is not lost", arguments: Sender.allCases,
    ["304 Not Modified", "204 No Content"])
  func readsEmptyResponses(sender: Sender, status: String) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in
      [.text("HTTP/1.1 \(status)\r\nETag: \"a\"\r\nConnection: close\r\n\r\n")]
    }
    let response = try await client(transport).send(request(server), timeout: .seconds(600))
    #expect(response.status.description == status && response.body == [] && response.fields[.eTag] == "\"a\"")
  }

  private static let failures: [(name: String, steps: [ScriptedServer.Step])] = [
    ("reset", [.reset]),
    ("closed at once", []),
    ("no HTTP", [.text("hello\r\n\r\n")]),
    ("truncated", [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")]),
    ("reset within the body", [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .reset]),
    ("truncated chunks", [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc")]),
  ]

  @Test("A response that does not come whole is a failure", arguments: Sender.allCases, failures)
  func failsOnBrokenResponses(sender: Sender, broken: (name: String, steps: [ScriptedServer.Step])) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in broken.steps }
    guard case .failure(.failed) = await outcome(try request(server), client(transport)) else {
      Issue.record("\(broken.name): expected a failure")
      return
    }
  }

  @Test("A port without a listener is an error with the text connection refused", arguments: Sender.allCases)
  func failsWithoutServer(sender: Sender) async throws {
    let transport = sender()
    let port = try ReservedPort()
    let request = TransportRequest(.get, try #require(URL(string: "http://127.0.0.1:\(port.number)/?token=secret")))
    guard case .failure(.notConnected(let words)) = await outcome(request, client(transport)) else {
      Issue.record("expected no connection")
      return
    }
    #expect(words.lowercased().contains("connection refused"))
    #expect(words.contains(request.url.authority) && !words.contains("secret"))
    withExtendedLifetime(port) {}
  }

  private static let large: [(name: String, steps: [ScriptedServer.Step])] = [
    ("said to be", [.text("HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n"), .waitForClient]),
    (
      "without end",
      [.text("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeatedly([UInt8](repeating: 0x61, count: 64 << 10))]
    ),
    ("by a byte", [.response(body: String(repeating: "a", count: 1001))]),
  ]

  @Test("A body that is too large is refused, and the connection is closed", arguments: Sender.allCases, large)
  func refusesLargeBodies(sender: Sender, large: (name: String, steps: [ScriptedServer.Step])) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in large.steps }
    #expect(await outcome(try request(server), client(transport)) == .failure(.tooLarge(limit: 1000)))
    try await waitUntil { server.connections == 0 }
  }

  @Test("A body of just the limit is taken", arguments: Sender.allCases)
  func takesLimit(sender: Sender) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in [.response(body: String(repeating: "a", count: 1000))] }
    #expect(try await client(transport).send(request(server), timeout: .seconds(600)).body.count == 1000)
  }

  private static let redirects: [(status: Int, requests: [String], body: String)] = [
    (301, ["GET /", "GET /next"], "done"), (302, ["GET /", "GET /next"], "done"),
    (303, ["GET /", "GET /next"], "done"),
    (307, ["GET /", "GET /next"], "done"), (308, ["GET /", "GET /next"], "done"), (300, ["GET /"], ""),
  ]

  @Test("A redirect within the host is followed", arguments: Sender.allCases, redirects)
  func followsRedirects(sender: Sender, redirect: (status: Int, requests: [String], body: String)) async throws {
    let transport = sender()
    let server = try ScriptedServer { number, _ in
      number == 0 ? [.response("\(redirect.status) X", ["Location: /next"])] : [.response(body: "done")]
    }
    let response = try await client(transport).send(request(server), timeout: .seconds(600))
    #expect(String(decoding: response.body, as: UTF8.self) == redirect.body)
    #expect(server.requests.map { $0.split(separator: " HTTP")[0] } == redirect.requests.map { Substring($0) })
  }

  @Test(
    "A coding of content that nobody decodes is passed on as it is, and asked for no more",
    arguments: ["utf-8", "aws-chunked", "binary", "identity", ""])
  func passesCodingsOn(coding: String) async throws {
    let server = try ScriptedServer { _, _ in [.response("200 OK", ["Content-Encoding: \(coding)"], body: "done")] }
    let response = try await client(SystemTransport()).send(request(server), timeout: .seconds(600))
    #expect(String(decoding: response.body, as: UTF8.self) == "done")
    let isKnown = ["identity", ""].contains(coding)
    #expect(
      server.requests.map { $0.contains("Accept-Encoding: identity\r\n") } == (isKnown ? [false] : [false, true]))
  }

  @Test("A coding that nobody decodes, on top of one that somebody does, is named by the error")
  func namesCoding() async throws {
    let server = try ScriptedServer { _, _ in [.response("200 OK", ["Content-Encoding: gzip, aws-chunked"], body: "x")]
    }
    await #expect(
      throws: TransportError.failed("expected content by gzip or as it is, found the coding aws-chunked beside another")
    ) {
      try await client(SystemTransport()).send(request(server), timeout: .seconds(600))
    }
  }

  @Test("A proxy that wants a name and a password is said to be one")
  func namesProxy() async throws {
    let server = try ScriptedServer { _, _ in [.response("407 X", ["Proxy-Authenticate: Basic"])] }
    await #expect(throws: TransportError.proxyAuthentication) {
      try await client(SystemTransport()).send(request(server), timeout: .seconds(600))
    }
  }

  @Test(
    "A refusal by a proxy names the proxy, as far as the answer shows it",
    arguments: [
      (["X-Squid-Error: ERR_ACCESS_DENIED 0", "Via: 1.1 cache.corp (squid/5.7)"], "cache.corp (squid/5.7)"),
      (["X-Squid-Error: ERR_ACCESS_DENIED 0", "Server: squid/5.7"], "squid/5.7"),
      (["X-Squid-Error: ERR_ACCESS_DENIED 0"], "Squid"),
      (["Proxy-Status: cdn; received-status=403, \"edge.corp\"; error=http_request_denied"], "edge.corp"),
      (["Via: 1.1 edge.corp, 1.1 cdn", "Content-Type: text/html; charset=utf-8"], "edge.corp"),
      (["Via: 1.1 cdn", "Content-Type: application/json"], nil), (["Proxy-Status: cdn; received-status=403"], nil),
      (["Content-Type: text/html"], nil), (["Via: "], nil), ([], nil),
    ] as [([String], String?)])
  func namesRefusingProxy(fields: [String], proxy: String?) async throws {
    let server = try ScriptedServer { _, _ in [.response("403 X", fields, body: "ann")] }
    let outcome = await outcome(try request(server), client(SystemTransport()))
    if let proxy {
      let message =
        "the proxy \(proxy) refuses requests to 127.0.0.1:\(server.port) (403): permit the host there, "
        + "or go around the proxy"
      #expect(outcome == .failure(.notConnected(message)))
    } else {
      #expect(try outcome.get().status == .forbidden)
    }
  }

  @Test(
    "A refusal of a plain request through a proxy of the environment is the proxy's, unless it is JSON",
    arguments: [
      ("text/html", "that http_proxy names"), ("text/plain", "that http_proxy names"), ("application/json", nil),
    ] as [(String, String?)])
  func namesProxyOfEnvironment(type: String, proxy: String?) {
    let response = HTTPResponse(.forbidden, fields: [.contentType: type])
    #expect(response.refusingProxy(named: "http_proxy") == proxy)
    #expect(response.refusingProxy(named: nil) == nil)
  }

  @Test(
    "Two addresses are of one origin if scheme, host and effective port are the same",
    arguments: [
      ("http://h/a", "http://h:80/b", true), ("https://h", "https://H:443/", true), ("HTTPS://h", "https://h/", true),
      ("http://h:8080", "http://h:8080", true), ("http://h", "http://h:443", false), ("http://h", "https://h", false),
      ("http://h:80", "http://i:80", false), ("http://[::1]", "http://[::1]:80", true),
    ])
  func comparesOrigins(left: String, right: String, isSame: Bool) throws {
    let (left, right) = (try #require(URL(string: left)), try #require(URL(string: right)))
    #expect(left.hasSameOrigin(as: right) == isSame && right.hasSameOrigin(as: left) == isSame)
  }

  @Test(
    "A redirect to another host is refused, with no word of its path, and nothing is sent there",
    arguments: Sender.allCases)
  func refusesForeignRedirects(sender: Sender) async throws {
    let transport = sender()
    let other = try ScriptedServer { _, _ in [.response(body: "stolen")] }
    let server = try ScriptedServer { [port = other.port] _, _ in
      [.response("302 Found", ["Location: http://127.0.0.1:\(port)/?token=secret"])]
    }
    let failure = await outcome(try request(server, fields: [.authorization: "secret"]), client(transport))
    #expect(failure == .failure(.redirected(to: "127.0.0.1:\(other.port)")))
    #expect(other.requests == [])
  }

  @Test("Redirects that lead on and on are given up", arguments: Sender.allCases)
  func endsRedirectLoops(sender: Sender) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in [.response("302 Found", ["Location: /"])] }
    #expect(await outcome(try request(server), client(transport)) == .failure(.tooManyRedirects(limit: 5)))
    #expect(server.requests.count == 6)
  }

  private static let silent = ScriptedServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")

  @Test(
    "A server that is slow is given up when the time is over", arguments: Sender.allCases,
    [([], false), ([.text("HTTP/1.1 200")], false), ([silent], true)] as [([ScriptedServer.Step], Bool)])
  func endsSlowRequests(sender: Sender, slow: (steps: [ScriptedServer.Step], hasHead: Bool)) async throws {
    let transport = sender()
    let measured = MeasuredTransport(transport)
    let arrived = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { _, _ in
      arrived.continuation.yield()
      return slow.steps + [.waitForClient]
    }
    let clock = ManualClock()
    let client = HTTPClient(measured, clock: clock)
    let request = try request(server)
    let task = Task { () async -> TransportError? in
      do throws(TransportError) {
        _ = try await client.send(request, timeout: .seconds(10))
        return nil
      } catch {
        return error
      }
    }
    for await _ in arrived.stream { break }
    try await waitUntil { measured.moved == (slow.hasHead ? sender.headAndByte : 0) }
    await clock.waitForSleeper(for: .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(await task.value == .timedOut(.seconds(10)))
    try await waitUntil { server.connections == 0 && transport.running == 0 }
  }

  @Test("A request whose task is cancelled ends, and its connection with it", arguments: Sender.allCases)
  func heedsCancellation(sender: Sender) async throws {
    let transport = sender()
    let arrived = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { _, _ in
      arrived.continuation.yield()
      return [.waitForClient]
    }
    let request = try request(server)
    let task = Task { [client = client(transport)] in await outcome(request, client) }
    for await _ in arrived.stream { break }
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    try await waitUntil { server.connections == 0 && transport.running == 0 }
  }
}

@Suite("Streams of events over a network, on loopback", .timeLimit(.minutes(15)))
struct EventTransportTests {
  private func follow(
    _ server: ScriptedServer, _ transport: any HTTPTransport, clock: any Clock<Duration> = ContinuousClock(),
    limit: Int = 1000,
    onEvent: @escaping @Sendable (HTTPClient.StreamEvent) -> Void = { _ in }
  ) async throws -> HTTPClient.StreamEnd {
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    return await HTTPClient(transport, limit: limit, clock: clock).follow(
      TransportRequest(.get, url), timeout: .seconds(600), inactivity: .seconds(60), onEvent: onEvent)
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

  @Test("Events come one by one, while the stream is open", arguments: Sender.allCases)
  func receivesEvents(sender: Sender) async throws {
    let transport = sender()
    let received = AsyncStream.makeStream(of: HTTPClient.StreamEvent.self)
    let server = try ScriptedServer { _, _ in
      [.text(Self.head + "retry: 1500\ndata: one\n\n"), .waitForClient]
    }
    let task = Task { try await follow(server, transport) { received.continuation.yield($0) } }
    var events = received.stream.makeAsyncIterator()
    #expect(await events.next() == .opened)
    #expect(await events.next() == .event(ServerSentEvent(data: "one")))
    server.stop()
    let end = try await task.value
    #expect(end.reconnectionTime == .milliseconds(1500))
  }

  @Test("A line without end is given up", arguments: Sender.allCases)
  func refusesEndlessLine(sender: Sender) async throws {
    let transport = sender()
    let server = try ScriptedServer { _, _ in
      [.text(Self.head), .sendRepeatedly([UInt8](repeating: 0x61, count: 4096))]
    }
    let end = try await follow(server, transport)
    guard case .failed(let error) = end.cause else {
      Issue.record("expected a failure")
      return
    }
    #expect(error == .unreadable("found a line of more than 1000 bytes") || error == .tooLarge(limit: 1000))
    try await waitUntil { server.connections == 0 && transport.running == 0 }
  }

  @Test("What is no stream is no stream: another status, another type", arguments: Sender.allCases)
  func refusesOthers(sender: Sender) async throws {
    let transport = sender()
    let server = try ScriptedServer { number, _ in
      number == 0 ? [.response("429 X", ["Retry-After: 9"])] : [.response(body: "data: 1\n\n")]
    }
    guard case .refused(let response) = try await follow(server, transport).cause else {
      Issue.record("expected a refusal")
      return
    }
    #expect(response.fields[.retryAfter] == "9")
    #expect(try await follow(server, transport).cause == .failed(.unreadable("found another type of content")))
  }

  @Test("A stream that is silent for its limit is given up; a heartbeat is something", arguments: Sender.allCases)
  func endsSilentStreams(sender: Sender) async throws {
    let transport = sender()
    let clock = ManualClock()
    let received = AsyncStream.makeStream(of: HTTPClient.StreamEvent.self)
    let server = try ScriptedServer { _, _ in [.text(Self.head), .waitForClient] }
    let task = Task { try await follow(server, transport, clock: clock) { received.continuation.yield($0) } }
    for await _ in received.stream { break }
    await clock.waitForSleeper(for: .seconds(60))
    clock.advance(by: .seconds(60))
    #expect(try await task.value.cause == .failed(.inactive(.seconds(60))))
    try await waitUntil { server.connections == 0 && transport.running == 0 }
  }
}

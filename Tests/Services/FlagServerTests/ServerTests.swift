import FlagHTTP
import Foundation
import TestSupport
import Testing

@testable import FlagServer

@Suite("Server, on loopback", .timeLimit(.minutes(15)))
struct ServerTests {
  @Test("One connection serves one request after another, and many sent at once, in order")
  func keepsAlive() async throws {
    let server = try HTTPServer(.test, environment: TestTime().environment)
    let bodies = try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      let first = try client.get("/echo/a").body
      let count = 200
      try client.send((0..<count).map { "GET /echo/\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
      return [first] + (try (0..<count).map { _ in try client.response().body })
    }
    let numbers = (0..<200).map { "\($0)" }
    #expect(bodies == ["a"] + numbers)
    await server.stop()
  }

  @Test("A body in chunks is echoed, however it is cut")
  func readsChunks() async throws {
    let server = try HTTPServer(.test, environment: TestTime().environment)
    let body = try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      for byte
        in "POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
      {
        try client.send(String(byte))
      }
      return try client.response().body
    }
    #expect(body == "abcde")
    await server.stop()
  }

  @Test("A large answer arrives whole, also where nobody sends more")
  func sendsLargeBodies() async throws {
    let server = try HTTPServer(.test, environment: TestTime().environment)
    let size = try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      client.endOutput()
      return try client.receiveAll().utf8.count
    }
    #expect(size > 8 << 20)
    await server.stop()
  }

  @Test("HEAD has the header of GET and no body; the connection goes on")
  func answersHead() async throws {
    let server = try HTTPServer(.test, environment: TestTime().environment)
    let (head, next) = try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      try client.send("HEAD /echo/abc HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return (try client.response(hasBody: false).head, try client.get("/echo/x").body)
    }
    #expect(head.contains("\r\nContent-Length: 3\r\n"))
    #expect(next == "x")
    await server.stop()
  }

  @Test(
    "A refused request gets its status, and the server continues",
    arguments: [
      ("GET /echo/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
      ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
      ("GET /echo/a HTTP/1.1\r\nHost: evil.example.com\r\n\r\n", 421), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413),
      ("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("POST /body HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
      ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \(String(repeating: "a", count: 40000))\r\n\r\n", 431),
      ("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
      ("PUT /body HTTP/1.0\r\nContent-Length: 0\r\n\r\n", 421),
      ("PUT /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405),
      ("GET /fail HTTP/1.1\r\nHost: localhost\r\n\r\n", 500),
      ("GET /wait/fail HTTP/1.1\r\nHost: localhost\r\n\r\n", 500),
    ])
  func refuses(text: String, status: Int) async throws {
    let server = try HTTPServer(.test, environment: TestTime().environment)
    let (answer, next) = try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      try client.send(text)
      return (try client.response(), try TestClient(port: port).get("/echo/next").body)
    }
    #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(!answer.body.contains("secret"))
    #expect(next == "next")
    await server.stop()
  }

  @Test("A waiting handler does not delay other requests, and is cancelled after the timeout")
  func waits() async throws {
    let clock = TestTime()
    let server = try HTTPServer(.test, environment: clock.environment)
    let (quick, slow) = try await onThread { [port = server.port] in
      let waiting = try TestClient(port: port)
      try waiting.send("GET /wait/long HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let quick = try TestClient(port: port).get("/wait/short")
      clock.advance(by: .seconds(31))
      server.wake()
      return (quick, try waiting.response().head)
    }
    #expect(quick == (200, "short"))
    #expect(slow.hasPrefix("HTTP/1.1 503 "))
    await server.stop()
  }

  @Test(
    "A slow header and a slow body are refused, an idle connection is closed",
    arguments: [
      ("GET / HT", "HTTP/1.1 408 "),
      ("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc", "HTTP/1.1 408 "),
      ("", ""),
    ])
  func cutsSlow(text: String, answer: String) async throws {
    let clock = TestTime()
    let server = try HTTPServer(.test, environment: clock.environment)
    let received = try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      try client.send(text)
      // Loopback keeps the order of connections, so this one's answer shows that the other is known.
      _ = try TestClient(port: port).get("/echo/a")
      clock.advance(by: .seconds(61))
      server.wake()
      return try client.receiveAll()
    }
    #expect(answer.isEmpty ? received.isEmpty : received.hasPrefix(answer))
    await server.stop()
  }

  @Test("A client that does not read is cut")
  func cutsSlowReaders() async throws {
    let clock = TestTime()
    let server = try HTTPServer(.test, environment: clock.environment)
    let size = try await onThread { [port = server.port] in
      let client = try TestClient(port: port, receiveBuffer: 4096)
      try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try client.receive(through: "\r\n\r\n")
      _ = try TestClient(port: port).get("/echo/a")
      clock.advance(by: .seconds(31))
      server.wake()
      // An answer after it: the server has looked at its clock before the client reads.
      _ = try TestClient(port: port).get("/echo/a")
      // Data that the kernel had accepted still arrives, then an end or a reset.
      return (try? client.receiveAll().utf8.count) ?? 0
    }
    #expect(size < 8 << 20)
    await server.stop()
    #expect(server.connections == 0)
  }

  @Test("Each request that was answered is logged with its route, and each that was refused")
  func observes() async throws {
    let log = Log()
    var environment = TestTime().environment
    environment.observe = { log.add($0) }
    environment.refuse = { error, _ in log.add(error) }
    let server = try HTTPServer(.test, environment: environment)
    try await onThread { [port = server.port] in
      let client = try TestClient(port: port)
      for path in ["/echo/ab", "/nothing", "/wait/short"] { _ = try client.get(path) }
      try client.send("nonsense\r\n")
      _ = try client.receiveAll()
    }
    await server.stop()
    #expect(log.requests.map(\.target) == ["/echo/ab", "/nothing", "/wait/short"])
    #expect(log.requests.map(\.route?.text) == ["/echo/{text}", nil, "/wait/{text}"])
    #expect(log.requests.map(\.status) == [.ok, .notFound, .ok])
    #expect(log.refusals == [.badRequest])
    #expect(log.requests.first?.bytes == 2)
    #expect(log.requests.allSatisfy { $0.time >= .zero && $0.peer.address == "127.0.0.1" })
  }

  @Test("A taken port, none, and another machine's address are errors", arguments: ["127.0.0.1", "192.0.2.1"])
  func refusesAddresses(host: String) async throws {
    let server = try HTTPServer(.test, environment: TestTime().environment)
    #expect(throws: SocketError.self) { try HTTPServer(.test, host: host, port: server.port) }
    #expect(throws: SocketError.self) { try HTTPServer(.test, port: 65536) }
    await server.stop()
  }
}

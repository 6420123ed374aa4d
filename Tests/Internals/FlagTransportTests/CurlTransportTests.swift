import FlagHTTP
import Foundation
import TestSupport
import Testing

@testable import FlagTransport

#if canImport(Glibc)
  /// Responses that crash Foundation's session on Linux, or that it never completes.
  @Suite("Requests by libcurl, on loopback", .timeLimit(.minutes(15)))
  struct CurlTransportTests {
    private func request(_ port: Int, _ scheme: String = "http") throws -> TransportRequest {
      let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/a%20b?c=d"))
      return TransportRequest(.post, url, fields: [.authorization: "token"], body: Array("body".utf8))
    }

    /// The number of this suite's requests to a server.
    ///
    /// Others may come: of a client that tries again where another test's server was, whose port this one has now.
    private static func count(_ server: ScriptedServer) -> Int {
      server.requests.count { $0.hasPrefix("POST /a%20b?c=d ") }
    }

    private func send(_ request: TransportRequest, limit: Int = 1000) async throws -> HTTPResponse {
      try await HTTPClient(CurlTransport(), limit: limit).send(request, timeout: .seconds(600))
    }

    @Test("A refusal with trailers comes whole, and the request arrives as it was made")
    func readsTrailers() async throws {
      let server = try ScriptedServer { _, _ in
        [
          .text("HTTP/1.1 503 Service Unavailable\r\nTrailer: A\r\nTransfer-Encoding: chunked\r\n\r\n"),
          .text("4\r\nbusy\r\n0\r\nA: b\r\n\r\n"), .waitForClient,
        ]
      }
      let response = try await send(request(server.port))
      #expect(response.status == .serviceUnavailable)
      #expect(response.body == Array("busy".utf8))
      let text = try #require(server.requests.first)
      #expect(text.hasPrefix("POST /a%20b?c=d HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
      #expect(text.contains("\r\nAuthorization: token\r\n") && text.hasSuffix("\r\n\r\nbody"))
    }

    @Test(
      "A connection that fails is an error",
      arguments: [
        [.reset], [.text("HTTP/1.1 200 OK\r\n"), .reset], [.text("HTTP/1.1 200 OK\r\n")],
        [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell")], [.text("220 smtp\r\n\r\n")], [],
      ] as [[ScriptedServer.Step]])
    func fails(steps: [ScriptedServer.Step]) async throws {
      let server = try ScriptedServer { _, _ in steps }
      await #expect(throws: TransportError.self) { try await send(request(server.port)) }
    }

    @Test("What is too large, or has a line in a field, is an error")
    func refuses() async throws {
      let server = try ScriptedServer { _, _ in
        [.text("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeatedly([UInt8](repeating: 0x20, count: 1 << 16))]
      }
      await #expect(throws: TransportError.tooLarge(limit: 1000)) { try await send(request(server.port)) }
      var injected = try request(server.port)
      injected.fields[.authorization] = "a\r\nX: y"
      await #expect(throws: TransportError.self) { try await send(injected) }
      #expect(Self.count(server) == 1)
      server.stop()
    }

    @Test("A request over a kept connection that the server has closed meanwhile is answered over another")
    func survivesClosedConnections() async throws {
      // It keeps a connection open, as it says, and closes it nevertheless.
      let server = try ScriptedServer { _, _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")] }
      let client = HTTPClient(CurlTransport())
      for number in 1...20 {
        let response = try await client.send(request(server.port), timeout: .seconds(600))
        #expect(response.body == Array("ok".utf8) && Self.count(server) == number)
      }
    }

    @Test("A header without end is given up")
    func refusesEndlessHeader() async throws {
      let server = try ScriptedServer { _, _ in
        [.text("HTTP/1.1 200 OK\r\n"), .sendRepeatedly(Array("A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n".utf8))]
      }
      await #expect(throws: TransportError.self) { try await send(request(server.port)) }
      try await waitUntil { server.connections == 0 }
    }

    @Test("A transport that is let go of ends its requests, its connections and its thread")
    func letsGo() async throws {
      let server = try ScriptedServer { _, _ in [.waitForClient] }
      var transport: CurlTransport? = CurlTransport()
      let exchanges = try (0..<3).compactMap { _ in transport?.send(try request(server.port), limit: 10) }
      try await waitUntil { server.connections == 3 }
      transport = nil
      for exchange in exchanges { await #expect(throws: TransportError.cancelled) { try await exchange.head() } }
      try await waitUntil { server.connections == 0 }
    }

    @Test("All transports of a process share one thread, and the end of one leaves the requests of others alone")
    func sharesThread() async throws {
      let shared = SharedCurlWork()
      let server = try ScriptedServer { _, _ in [.waitForClient] }
      var transports = (0..<50).map { _ in CurlTransport(on: shared) }
      let known = Weak(work: transports[0].work)
      #expect(transports.allSatisfy { $0.work === known.work })
      let exchanges = try transports.map { $0.send(try request(server.port), limit: 10) }
      try await waitUntil { server.connections == 50 }
      transports.removeFirst(49)
      for exchange in exchanges.dropLast() {
        await #expect(throws: TransportError.cancelled) { try await exchange.head() }
      }
      try await waitUntil { server.connections == 1 }
      #expect(transports[0].running == 1)
      transports = []
      await #expect(throws: TransportError.cancelled) { try await exchanges[49].head() }
      // The thread keeps its work until it ends.
      try await waitUntil { known.work == nil }
      let other = try ScriptedServer { _, _ in [.response()] }
      let client = HTTPClient(CurlTransport(on: shared))
      #expect(try await client.send(request(other.port), timeout: .seconds(600)).status == .ok)
    }

    private struct Weak { weak var work: CurlWork? }

    @Test("A stream's content arrives as it is sent, and ends when its consumer stops")
    func streams() async throws {
      let server = try ScriptedServer { _, _ in
        [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"), .waitForClient]
      }
      let client = HTTPClient(CurlTransport())
      do {
        let (response, exchange) = try await client.begin(request(server.port), timeout: .seconds(600))
        #expect(response.status == .ok)
        #expect(try await exchange.next() == Array("one".utf8))
      }
      try await waitUntil { server.connections == 0 }
    }
  }
#endif

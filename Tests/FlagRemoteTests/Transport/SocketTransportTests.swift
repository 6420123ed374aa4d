import FlagHTTP
import Foundation
import TestSupport
import Testing

@testable import FlagTransport

@Suite("Responses, byte by byte")
struct ResponseParserTests {
  static let responses: [(text: String, status: Int, body: String)] = [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
    ("HTTP/1.1 200\r\ncontent-length:0\r\n\r\n", 200, ""),
    ("HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nX: y\r\n\r\n", 204, ""),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nA;x=y\r\nlo, so far!\r\n0\r\n\r\n", 200, ""),
    (
      "HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n2\r\nno\r\n0\r\nA: b\r\nGrpc: c\r\n\r\n", 503,
      "no"
    ),
  ]

  @Test("A response is the same however it is cut", arguments: responses)
  func readsResponses(text: String, status: Int, body: String) throws {
    let bytes = Array(text.replacing("A;x=y\r\nlo, so far!", with: "2;x=y\r\nlo").utf8)
    let expected = body.isEmpty && text.contains("hel\r\n") ? "hello" : body
    for cut in 0...bytes.count {
      var parser = ResponseParser()
      let parts = try parser.append(Array(bytes[..<cut])) + parser.append(Array(bytes[cut...])) + parser.finish()
      var found: (status: Int?, body: [UInt8]) = (nil, [])
      for part in parts {
        switch part {
        case .head(let head): found.status = head.status.code
        case .content(let content): found.body += content
        case .end: break
        }
      }
      #expect(found.status == status, "cut at \(cut)")
      #expect(String(decoding: found.body, as: UTF8.self) == expected, "cut at \(cut)")
      #expect(parser.isOver)
    }
  }

  @Test(
    "What is no response, or not all of one, is an error",
    arguments: [
      "", "HTTP/1.1 200 OK\r\n", "hello\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nA: b\r\n",
      "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 70_000),
    ])
  func refusesOthers(text: String) {
    #expect(throws: TransportError.self) {
      var parser = ResponseParser()
      _ = try parser.append(Array(text.utf8)) + parser.finish()
    }
  }

  @Test("Whatever comes, the parser gives parts or an error")
  func survivesGarbage() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<Effort.rounds(500, long: 50_000) {
      var bytes = Array(Self.responses.map(\.text).randomElement(using: &random)?.utf8 ?? "".utf8)
      for _ in 0..<3 { bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
      var parser = ResponseParser()
      do throws(TransportError) {
        #expect(try parser.append(bytes).count <= 9)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}

#if canImport(FoundationNetworking)
  @Suite("Requests over sockets, on loopback", .timeLimit(.minutes(15)))
  struct SocketTransportTests {
    private func request(_ port: Int, _ scheme: String = "http") throws -> TransportRequest {
      let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/a%20b?c=d"))
      return TransportRequest(.post, url, fields: [.authorization: "token"], body: Array("body".utf8))
    }

    private func send(_ request: TransportRequest, limit: Int = 1000) async throws -> HTTPResponse {
      try await HTTPClient(SocketTransport(), limit: limit).send(request, timeout: .seconds(600))
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

    @Test("What is too large, has a line in a field, is to be encrypted, or goes nowhere is an error")
    func refuses() async throws {
      let server = try ScriptedServer { _, _ in
        [.text("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeatedly([UInt8](repeating: 0x20, count: 1 << 16))]
      }
      await #expect(throws: TransportError.tooLarge(limit: 1000)) { try await send(request(server.port)) }
      var injected = try request(server.port)
      injected.fields[.authorization] = "a\r\nX: y"
      await #expect(throws: TransportError.self) { try await send(injected) }
      await #expect(throws: TransportError.self) { try await send(request(server.port, "https")) }
      #expect(server.requests.count == 1)
      server.stop()
    }

    @Test("A stream comes as it is sent, and ends when nobody waits for it any more")
    func streams() async throws {
      let server = try ScriptedServer { _, _ in
        [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"), .waitForClient]
      }
      let client = HTTPClient(SocketTransport())
      do {
        let (response, exchange) = try await client.begin(request(server.port), timeout: .seconds(600))
        #expect(response.status == .ok)
        #expect(try await exchange.next() == Array("one".utf8))
      }
      try await waitUntil { server.connections == 0 }
    }
  }
#endif

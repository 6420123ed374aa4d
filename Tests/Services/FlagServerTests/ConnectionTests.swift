import FlagHTTP
import Testing

@testable import FlagServer

@Suite("Connection")
struct ConnectionTests {
  private let start = ContinuousClock.now
  private var limits = ServerLimits()
  private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test("A request is handled, answered, and the next one waited for")
  func answers() {
    var connection = Connection(limits: limits, now: start)
    #expect(request(Self.get + "GET /2", &connection)?.target == "/")
    #expect(connection.phase == .handling)
    #expect(!connection.wantsInput)
    connection.respond(HTTPResponse(.ok, body: [0x61]), now: start, date: "now")
    #expect(sent(&connection) == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 1\r\n\r\na")
    #expect(request("", &connection) == nil)
    #expect(connection.phase == .reading(.header))
  }

  @Test("A client that says nothing, or nothing more, is let go of in silence")
  func forgetsIdle() {
    var connection = Connection(limits: limits, now: start)
    #expect(connection.deadline == start + limits.headerTime)
    _ = connection.expire(now: start + .seconds(9), date: "")
    #expect(connection.phase == .reading(.idle))
    _ = connection.expire(now: start + .seconds(10), date: "")
    #expect(connection.phase == .closed)
    var kept = Connection(limits: limits, now: start)
    _ = request(Self.get, &kept)
    kept.respond(HTTPResponse(.ok), now: start, date: "")
    _ = sent(&kept)
    #expect(kept.deadline == start + limits.idleTime)
    #expect(kept.isIdle)
  }

  @Test(
    "A request that takes too long is a timeout, however often a byte of it arrives",
    arguments: [("GET / HT", 10), ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n", 30)])
  func refusesSlow(text: String, seconds: Int) {
    var connection = Connection(limits: limits, now: start)
    _ = request(text, &connection)
    for second in 1..<seconds {
      connection.receive([0x41])
      #expect(connection.nextRequest(now: start + .seconds(second), date: "") == nil)
      _ = connection.expire(now: start + .seconds(second), date: "")
    }
    _ = connection.expire(now: start + .seconds(seconds), date: "")
    #expect(sent(&connection).hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    #expect(connection.phase == .lingering)
  }

  @Test("A handler that takes too long is cancelled, and its answer is lost")
  func refusesSlowHandlers() {
    var connection = Connection(limits: limits, now: start)
    _ = request(Self.get, &connection)
    guard case .cancel = connection.expire(now: start + limits.handlerTime, date: "") else {
      Issue.record("the handler goes on")
      return
    }
    connection.respond(HTTPResponse(.ok), now: start, date: "")
    let answer = sent(&connection)
    #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && answer.contains("\r\nRetry-After: 5\r\n"))
  }

  @Test("A client that reads too slowly is cut")
  func cutsSlowReaders() {
    var connection = Connection(limits: limits, now: start)
    _ = request(Self.get, &connection)
    connection.respond(HTTPResponse(.ok, body: [UInt8](repeating: 0, count: 200 << 10)), now: start, date: "")
    _ = connection.sent(connection.output.first?.bytes.count ?? 0, now: start)
    // A portion in time gives time for the next; less does not.
    _ = connection.sent(Connection.portion, now: start + .seconds(29))
    #expect(connection.deadline == start + .seconds(59))
    _ = connection.sent(Connection.portion - 1, now: start + .seconds(58))
    #expect(connection.deadline == start + .seconds(59))
    _ = connection.expire(now: start + .seconds(59), date: "")
    #expect(connection.phase == .closed)
  }

  @Test("An answer that is read in time may take longer than a connection may be idle")
  func keepsSteadyReaders() {
    var connection = Connection(limits: limits, now: start)
    _ = request(Self.get, &connection)
    connection.respond(HTTPResponse(.ok, body: [UInt8](repeating: 0, count: 1 << 20)), now: start, date: "")
    _ = connection.sent(connection.output.first?.bytes.count ?? 0, now: start)
    for second in stride(from: 20, through: 200, by: 20) {
      _ = connection.sent(Connection.portion, now: start + .seconds(second))
      _ = connection.expire(now: start + .seconds(second), date: "")
    }
    #expect(connection.phase == .reading(.idle))
  }

  @Test("What is no request is answered, and no more is read; the client has time to see why")
  func refusesNonsense() {
    var connection = Connection(limits: limits, now: start)
    #expect(request("nonsense\r\n" + Self.get, &connection) == nil)
    #expect(connection.phase == .finishing)
    let text = sent(&connection)
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(text.contains("\r\nConnection: close\r\n"))
    #expect(connection.phase == .lingering)
    #expect(request(Self.get, &connection) == nil)
    _ = connection.expire(now: start + limits.lingerTime, date: "")
    #expect(connection.phase == .closed)
  }

  @Test("What a client sends ahead waits while it does not read")
  func holdsBack() {
    var connection = Connection(limits: limits, now: start)
    _ = request(Self.get + Self.get, &connection)
    connection.respond(HTTPResponse(.ok, body: [UInt8](repeating: 0, count: 100 << 10)), now: start, date: "")
    #expect(request("", &connection) == nil)
    #expect(!connection.wantsInput)
    _ = sent(&connection)
    #expect(request("", &connection) != nil)
  }

  @Test("A client that waits for a word before its body gets it")
  func continues() {
    var connection = Connection(limits: limits, now: start)
    let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"
    #expect(request(head, &connection) == nil)
    #expect(sent(&connection) == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(request("a", &connection)?.body == [0x61])
  }

  @Test("HEAD is answered with the length alone")
  func answersHead() {
    var connection = Connection(limits: limits, now: start)
    _ = request("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", &connection)
    connection.respond(HTTPResponse(.ok, body: [1, 2, 3]), now: start, date: "now")
    #expect(sent(&connection) == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 3\r\n\r\n")
  }

  @Test("A stream is sent in chunks, its heart beats, and it has an end")
  func streams() {
    var connection = Connection(limits: limits, now: start)
    _ = request(Self.get, &connection)
    connection.startEvents(fields: [:], now: start, date: "now")
    #expect(sent(&connection).contains("\r\nTransfer-Encoding: chunked\r\n"))
    connection.sendEvent(Array("ab".utf8), now: start)
    #expect(!connection.wantsEvent)
    #expect(sent(&connection) == "2\r\nab\r\n")
    _ = connection.expire(now: start + limits.heartbeatTime, date: "")
    #expect(sent(&connection) == "3\r\n:\n\n\r\n")
    connection.endEvents(now: start)
    #expect(sent(&connection) == "0\r\n\r\n")
    #expect(connection.phase == .closed)
  }

  @Test("Draining closes what is idle, ends streams and finishes requests")
  func drains() {
    var idle = Connection(limits: limits, now: start)
    idle.drain(now: start)
    #expect(idle.phase == .closed)
    var handling = Connection(limits: limits, now: start)
    _ = request(Self.get, &handling)
    handling.drain(now: start)
    handling.respond(HTTPResponse(.noContent), now: start, date: "now")
    #expect(sent(&handling) == "HTTP/1.1 204 No Content\r\nDate: now\r\nConnection: close\r\n\r\n")
    #expect(handling.phase == .closed)
    var streaming = Connection(limits: limits, now: start)
    _ = request(Self.get, &streaming)
    streaming.startEvents(fields: [:], now: start, date: "")
    streaming.drain(now: start)
    #expect(sent(&streaming).hasSuffix("\r\n\r\n0\r\n\r\n"))
    #expect(streaming.phase == .closed)
  }

  private func request(_ text: String, _ connection: inout Connection) -> HTTPRequest? {
    connection.receive(Array(text.utf8)[...])
    return connection.nextRequest(now: start, date: "now")
  }

  /// Sends all of the output, and returns it.
  private func sent(_ connection: inout Connection) -> String {
    var bytes: [UInt8] = []
    while let (piece, sent) = connection.output.first {
      bytes += piece[sent...]
      _ = connection.sent(piece.count - sent, now: start)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

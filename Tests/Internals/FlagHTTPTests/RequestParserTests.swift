import FlagHTTP
import Testing

@Suite("Request parser")
struct RequestParserTests {
  @Test("A request is read whole, with the next one after it")
  func readsRequests() throws {
    var parser = HTTPRequestParser()
    parser.append(
      "\r\nPOST /a?b HTTP/1.1\r\nHost: x\r\nX-A:\t 1 \r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.0\r\n\r\n".utf8)
    let first = try parser.next()
    var fields: HTTPFields = [.host: "x"]
    fields.append(try #require(HTTPFieldName("X-A")), "1")
    fields.append(.contentLength, "3")
    #expect(first == HTTPRequest(.post, "/a?b", fields: fields, body: Array("abc".utf8)))
    let second = try parser.next()
    #expect(second == HTTPRequest(.get, "/", version: .http10))
    let third = try parser.next()
    #expect(third == nil)
    #expect(parser.progress == .idle)
  }

  @Test("Chunks are joined, extensions passed over, the fields after them kept apart")
  func readsChunks() throws {
    var parser = HTTPRequestParser()
    parser.append(
      """
      PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n\
      3\r\nabc\r\n00A ;q="1"\r\n0123456789\r\n0\r\nContent-Length: 5\r\nX: y\r\n\r\n
      """.utf8)
    let next = try parser.next()
    let request = try #require(next)
    #expect(String(decoding: request.body, as: UTF8.self) == "abc0123456789")
    #expect(request.fields[.contentLength] == nil)
    #expect(request.trailers.all.map(\.value) == ["5", "y"])
  }

  @Test(
    "What is not understood, or could be in two ways, is refused with its status", arguments: RequestExample.refused)
  func refuses(example: RequestExample) {
    var parser = HTTPRequestParser(limits: RequestExample.limits)
    parser.append(example.text.utf8)
    let outcome = Outcome(of: &parser)
    #expect(outcome.error?.status.code == example.status, "\(outcome.error?.reason ?? "read")")
    #expect(Outcome(of: &parser).error == outcome.error)
  }

  @Test("What is just within the limits is read", arguments: RequestExample.accepted)
  func accepts(example: RequestExample) {
    var parser = HTTPRequestParser(limits: RequestExample.limits)
    parser.append(example.text.utf8)
    #expect(Outcome(of: &parser).error == nil)
    #expect(parser.progress == .idle)
  }

  @Test("An input gives the same wherever it is cut", arguments: RequestExample.refused + RequestExample.accepted)
  func readsCutInput(example: RequestExample) {
    let bytes = Array(example.text.utf8)
    var whole = HTTPRequestParser(limits: RequestExample.limits)
    whole.append(bytes)
    let expected = Outcome(of: &whole)
    for cut in 0...bytes.count {
      #expect(Outcome(bytes, cutAt: [cut], limits: RequestExample.limits) == expected, "cut at \(cut)")
    }
    #expect(Outcome(bytes, cutAt: Array(bytes.indices), limits: RequestExample.limits) == expected)
  }

  @Test("The missing bytes are known, and whether a client waits for 100 Continue")
  func tellsProgress() throws {
    var parser = HTTPRequestParser()
    #expect(parser.progress == .idle)
    parser.append("POST / HTTP/1.1\r\n".utf8)
    #expect(Outcome(of: &parser).requests.isEmpty)
    #expect(parser.progress == .header)
    parser.append("Host: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n".utf8)
    #expect(Outcome(of: &parser).requests.isEmpty)
    #expect(parser.progress == .body)
    let answers = [parser.takeContinue(), parser.takeContinue()]
    #expect(answers == [true, false])
    parser.append("a".utf8)
    #expect(Outcome(of: &parser).requests.map(\.body) == [[0x61]])
  }

  @Test("No word is due where the body is there already")
  func needsNoContinue() throws {
    var parser = HTTPRequestParser()
    parser.append("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\na".utf8)
    #expect(Outcome(of: &parser).requests.isEmpty)
    let answer = parser.takeContinue()
    #expect(!answer)
  }

  @Test("A connection is kept unless the client says otherwise, or speaks HTTP/1.0")
  func tellsKeepAlive() {
    #expect(HTTPRequest(.get, "/").keepsConnection)
    #expect(!HTTPRequest(.get, "/", fields: [.connection: "x, Close"]).keepsConnection)
    #expect(!HTTPRequest(.get, "/", version: .http10, fields: [.connection: "keep-alive"]).keepsConnection)
  }
}

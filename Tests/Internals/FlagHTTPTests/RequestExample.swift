import FlagHTTP
import Testing

/// A piece of input, and the status that it is refused with.
struct RequestExample: CustomTestStringConvertible, Sendable {
  let text: String
  var status: Int?

  var testDescription: String { String(text.debugDescription.prefix(100)) }

  static let limits = HTTPLimits(requestLine: 64, headerBytes: 200, headerCount: 5, body: 32, chunkExtensions: 12)

  static let refused = [
    // The first line.
    request(400, line: "GET /"), request(400, line: "GET  / HTTP/1.1"), request(400, line: "GET / x HTTP/1.1"),
    request(400, line: " GET / HTTP/1.1"), request(400, line: "GET / HTTP/1.1 "), request(400, line: "GET / http/1.1"),
    request(400, line: "GET\t/ HTTP/1.1"), request(400, line: "GET a HTTP/1.1"), request(400, line: "GET * HTTP/1.1"),
    request(400, line: "GET /\u{7F} HTTP/1.1"), request(400, line: "GET /é HTTP/1.1"),
    request(400, line: "GET /#a HTTP/1.1"),
    request(400, line: "GET https://x/ HTTP/1.1"), request(400, line: "GET http://u@x/ HTTP/1.1"),
    request(400, line: "G(T / HTTP/1.1"), request(400, line: "GET / HTTP/11"), request(400, line: "GET / HTTP/1.1\rX"),
    request(505, line: "GET / HTTP/2.0"), request(505, line: "PRI * HTTP/2.0"), request(505, line: "GET / HTTP/0.9"),
    request(501, line: "CONNECT x:1 HTTP/1.1"), request(501, line: String(repeating: "A", count: 33) + " / HTTP/1.1"),
    request(414, line: "GET /\(String(repeating: "a", count: 49)) HTTP/1.1"),
    RequestExample(text: String(repeating: "a", count: 65), status: 414),
    RequestExample(text: "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
    RequestExample(text: "GET / HTTP/1.1\nHost: x\r\n\r\n", status: 400),
    RequestExample(text: "\u{16}\u{3}\u{1}\n", status: 400),
    // The fields.
    request(400, "Host : x"), request(400, "Ho st: x"), request(400, ": x"), request(400, "Host: x", "a"),
    request(400, "Host: x", "A: b", " c"), request(400, "Host: x", "\tA: b"), request(400, "Host: x", "A: b\rC: d"),
    request(400, "Host: x", "A\r: b"), request(400, "Host: x", "A\n: b"), request(400, "Host: x", "A: b\nC: d"),
    request(400, "Host: x", "A: \u{0}"), request(400, "Host: x", "É: b"), request(400), request(400, "Host:"),
    request(400, "Host: x", "host: x"), request(400, "Host: a b"), request(400, "Host: x, y"),
    request(400, "Host: x/y"),
    request(431, "Host: x", "A: \(String(repeating: "a", count: 186))"),
    request(431, "Host: x", "A: 1", "B: 2", "C: 3", "D: 4", "E: 5"),
    RequestExample(text: "GET / HTTP/1.1\r\n" + String(repeating: "a", count: 201), status: 431),
    request(417, "Host: x", "Expect: 200-ok"),
    // The length.
    request(400, "Host: x", "Content-Length: 1", "Content-Length: 1"), request(400, "Host: x", "Content-Length: 1, 1"),
    request(400, "Host: x", "Content-Length: +1"), request(400, "Host: x", "Content-Length: -1"),
    request(400, "Host: x", "Content-Length: 0x1"), request(400, "Host: x", "Content-Length:"),
    request(400, "Host: x", "Content-Length: 1 1"),
    request(400, "Host: x", "Content-Length: 1", "Transfer-Encoding: chunked"),
    request(413, "Host: x", "Content-Length: 33"), request(413, "Host: x", "Content-Length: 99999999999999999999"),
    RequestExample(text: "POST / HTTP/1.1\r\nHost: x\r\n\r\n", status: 411),
    // The codings.
    request(400, "Host: x", "Transfer-Encoding: chunked, chunked"), request(400, "Host: x", "Transfer-Encoding: gzip"),
    request(400, "Host: x", "Transfer-Encoding: chunked, gzip"), request(400, "Host: x", "Transfer-Encoding:"),
    request(501, "Host: x", "Transfer-Encoding: gzip, chunked"), request(400, "Host: x", "Transfer-Encoding: xchunked"),
    request(400, "Host: x", "Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
    RequestExample(text: "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 400),
    // The chunks.
    chunks(400, "x\r\n"), chunks(400, "\r\n"), chunks(400, "-1\r\n"), chunks(400, "+1\r\n"), chunks(400, "0x1\r\n"),
    chunks(400, " 1\r\na\r\n"), chunks(400, "1 \r\na\r\n"), chunks(400, "1 x\r\na\r\n"), chunks(400, "1\na\r\n"),
    chunks(400, "1\r\nab\r\n"), chunks(400, "1\r\na\n"), chunks(400, "1;a=\u{1}\r\n"), chunks(400, "1\r\na0\r\n\r\n"),
    chunks(400, "00000000000000001\r\n"), chunks(413, "21\r\n"), chunks(413, "ffffffffffffffff\r\n"),
    chunks(413, "8000000000000000\r\n"), chunks(413, "20\r\n\(String(repeating: "a", count: 32))\r\n1\r\n"),
    chunks(400, "1;1234567890ab\r\n"), chunks(400, "1;12345\r\na\r\n1;123456\r\na\r\n"),
    chunks(400, String(repeating: "0", count: 31)), chunks(400, "0\r\nA : b\r\n\r\n"),
    chunks(400, "0\r\n A: b\r\n\r\n"),
    chunks(431, "0\r\nA: \(String(repeating: "a", count: 200))\r\n\r\n"),
    chunks(431, "0\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n"),
  ]

  static let accepted = [
    request(nil, "Host: x"), request(nil, "Host: x", "A:"), request(nil, "Host: x", "A: \t"),
    request(nil, line: "OPTIONS * HTTP/1.1"), request(nil, line: "GET / HTTP/1.2"),
    request(nil, line: "M-SEARCH / HTTP/1.1"),
    request(nil, line: "GET /\(String(repeating: "a", count: 48)) HTTP/1.1"),
    request(nil, line: "GET http://y/ HTTP/1.1"),
    request(nil, "Host: x", "A: 1", "B: 2", "C: 3", "D: 4"),
    request(nil, "Host: x", "A: \(String(repeating: "a", count: 184))"),
    request(nil, "Host: x", "Content-Length: 000"),
    RequestExample(text: "GET / HTTP/1.0\r\nExpect: x\r\n\r\nGET / HTTP/1.0\r\n\r\n"),
    RequestExample(
      text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 32\r\n\r\n\(String(repeating: "\n", count: 32))"),
    chunks(nil, "0\r\n\r\n"), chunks(nil, "20\r\n\(String(repeating: "\r\n", count: 16))\r\n0\r\n\r\n"),
    chunks(nil, "1;1234567890a\r\na\r\n0\r\nA: b\r\n\r\n"), chunks(nil, "0000000000000001\r\na\r\n000\r\n\r\n"),
  ]

  private static func request(
    _ status: Int?, line: String = "GET / HTTP/1.1", _ fields: String...
  ) -> RequestExample {
    let lines = [line] + (fields.isEmpty && line != "GET / HTTP/1.1" ? ["Host: x"] : fields) + ["", ""]
    return RequestExample(text: lines.joined(separator: "\r\n"), status: status)
  }

  private static func chunks(_ status: Int?, _ body: String) -> RequestExample {
    RequestExample(text: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body, status: status)
  }
}

/// The results of a parser for all of its input.
struct Outcome: Hashable {
  var requests: [HTTPRequest] = []
  var error: HTTPRequestError?

  init(of parser: inout HTTPRequestParser) { take(from: &parser) }

  init(_ bytes: [UInt8], cutAt cuts: [Int], limits: HTTPLimits) {
    var parser = HTTPRequestParser(limits: limits)
    var start = 0
    for cut in cuts + [bytes.count] where error == nil {
      parser.append(bytes[start..<cut])
      start = cut
      take(from: &parser)
    }
  }

  private mutating func take(from parser: inout HTTPRequestParser) {
    do throws(HTTPRequestError) {
      while let request = try parser.next() { requests.append(request) }
    } catch {
      self.error = error
    }
  }
}

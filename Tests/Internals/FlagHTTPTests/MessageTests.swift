import FlagHTTP
import Testing

@Suite("Messages")
struct MessageTests {
  @Test("Fields keep their order, are found whatever their case, and join their values")
  func findsFields() throws {
    var fields: HTTPFields = [.host: "a", .accept: "x"]
    fields.append(try #require(HTTPFieldName("ACCEPT")), "y")
    #expect(fields[.accept] == "x, y")
    #expect(fields.values(of: .accept) == ["x", "y"])
    #expect(fields.all.map(\.name.text) == ["Host", "Accept", "ACCEPT"])
    fields[.host] = "b"
    fields[.accept] = nil
    fields[.eTag] = "\"1\""
    #expect(fields == [.host: "b", .eTag: "\"1\""])
    #expect(fields[.location] == nil)
  }

  @Test("A list of tokens has one whatever its case", arguments: [("Keep-Alive, Close", true), ("closed", false)])
  func findsTokens(value: String, isFound: Bool) {
    #expect(([.connection: value] as HTTPFields).contains("close", in: .connection) == isFound)
  }

  @Test(
    "A name of a field is a token",
    arguments: [("X-A", true), ("", false), ("a b", false), ("a:", false), ("é", false)])
  func checksNames(text: String, isName: Bool) {
    #expect((HTTPFieldName(text) != nil) == isName)
    #expect((HTTPMethod(text) != nil) == isName)
  }

  @Test("Names that differ in case are one key")
  func hashesNames() throws {
    #expect(Set([.eTag, try #require(HTTPFieldName("etag")), try #require(HTTPFieldName("ETAG"))]).count == 1)
  }

  @Test("A response is written with its length, in chunks or up to the end")
  func writesHeads() {
    let response = HTTPResponse(.ok, fields: [.contentType: "a/b", .contentLength: "9"], body: [1, 2, 3])
    #expect(
      head(response, date: "now") == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\n")
    #expect(
      head(response, framing: .chunks) == "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(
      head(response, framing: .close, keepsConnection: false)
        == "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nConnection: close\r\n\r\n")
    #expect(head(HTTPResponse(.notModified)) == "HTTP/1.1 304 Not Modified\r\n\r\n")
  }

  @Test("No value can end the header")
  func writesNoSecondHeader() {
    let response = HTTPResponse(.noContent, fields: [.location: "/\r\nSet-Cookie: a\u{0}"])
    #expect(head(response) == "HTTP/1.1 204 No Content\r\nLocation: /  Set-Cookie: a \r\n\r\n")
  }

  @Test("A chunk has its size before it; an empty one is left out")
  func writesChunks() {
    var bytes: [UInt8] = []
    HTTPResponse.writeChunk("0123456789abcdef".utf8, to: &bytes)
    HTTPResponse.writeChunk([], to: &bytes)
    #expect(String(decoding: bytes + HTTPResponse.lastChunk, as: UTF8.self) == "10\r\n0123456789abcdef\r\n0\r\n\r\n")
  }

  @Test(
    "A media type is read with its parameters",
    arguments: [
      ("application/JSON; charset=\"utf-8\"", "application/json", "utf-8"),
      ("application/problem+json", "application/problem+json", nil),
      ("text/plain ; a=\"x;\\\"y\" ;charset=latin1", "text/plain", "latin1"),
    ] as [(String, String, String?)])
  func readsMediaTypes(text: String, essence: String, charset: String?) throws {
    let type = try #require(MediaType(text))
    #expect(type.essence == essence)
    #expect(type.parameters["charset"] == charset)
  }

  @Test(
    "What is no media type is none", arguments: ["", "json", "a/b/c", "a/b;c", "a/b;c=\"d", "a/b; c=\"d\"e", "a /"])
  func refusesMediaTypes(text: String) { #expect(MediaType(text) == nil) }

  private func head(
    _ response: HTTPResponse, framing: HTTPResponse.Framing = .length, keepsConnection: Bool = true, date: String? = nil
  ) -> String {
    var bytes: [UInt8] = []
    response.writeHead(to: &bytes, framing: framing, keepsConnection: keepsConnection, date: date)
    return String(decoding: bytes, as: UTF8.self)
  }
}

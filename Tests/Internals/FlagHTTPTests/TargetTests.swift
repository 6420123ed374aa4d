import FlagHTTP
import Testing

@Suite("Targets")
struct TargetTests {
  @Test(
    "A path is split before it is decoded",
    arguments: [
      ("/", []), ("/flags.json", ["flags.json"]), ("/a/b%2Fc/d%20e", ["a", "b/c", "d e"]),
      ("/a//b/", ["a", "", "b", ""]),
      ("/%C3%A9+", ["é+"]), ("http://example.com/a", ["a"]), ("HTTP://example.com:80", []), ("/...", ["..."]),
    ] as [(String, [String])])
  func readsPaths(target: String, path: [String]) { #expect(RequestTarget(target)?.path == path) }

  @Test(
    "A path that leads elsewhere, or is badly encoded, is refused",
    arguments: [
      "/..", "/../etc/passwd", "/a/../b", "/%2e%2E/etc", "/.%2e", "/.", "/a/%2e/b", "/a%00", "/a%0a", "/a%7f", "/%",
      "/%4",
      "/%zz", "/%ff", "*", "", "a", "https://example.com/", "?a", "/a?%",
    ])
  func refusesPaths(target: String) { #expect(RequestTarget(target) == nil) }

  @Test("A query is read in order, plus signs as spaces")
  func readsQueries() throws {
    let target = try #require(RequestTarget("/a?b=1+2&c&b=%2B&=d&&e=f=g"))
    #expect(target.query.map(\.name) == ["b", "c", "b", "", "e"])
    #expect(target.query.map(\.value) == ["1 2", "", "+", "d", "f=g"])
    #expect(target.value(of: "b") == "1 2")
    #expect(target.value(of: "x") == nil)
  }

  @Test("What is encoded is decoded to the same", arguments: ["", "a b/c?d=é&%+", "\u{0}😀~"])
  func encodes(text: String) {
    let encoded = PercentEncoding.encode(text)
    #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(PercentEncoding.decode(encoded) == text)
  }

  @Test(
    "A host is a name or an address, and perhaps a port",
    arguments: [
      ("LocalHost", "localhost", nil, true), ("127.0.0.1:80", "127.0.0.1", 80, true),
      ("[::1]:8080", "[::1]", 8080, true),
      ("example.com", "example.com", nil, false), ("localhost.example.com", "localhost.example.com", nil, false),
      ("[::ffff:127.0.0.1]", "[::ffff:127.0.0.1]", nil, false),
    ] as [(String, String, Int?, Bool)])
  func readsHosts(text: String, name: String, port: Int?, isLoopback: Bool) throws {
    let host = try #require(HTTPHost(text))
    #expect(host.name == name)
    #expect(host.port == port)
    #expect(host.isLoopback == isLoopback)
  }

  @Test(
    "What is no host is none",
    arguments: [
      "", ":80", "a b", "a:", "a:b", "a:65536", "a:-1", "a:1:2", "[::1", "[]", "[::1]80", "[zz]", "user@host", "a/b",
      "a,b",
    ])
  func refusesHosts(text: String) { #expect(HTTPHost(text) == nil) }

  @Test("A host in the target counts before that of the field")
  func prefersTarget() {
    let fields: HTTPFields = [.host: "a"]
    #expect(HTTPRequest(.get, "http://b:1/c", fields: fields).host == HTTPHost("b:1"))
    #expect(HTTPRequest(.get, "/c", fields: fields).host == HTTPHost("a"))
    #expect(HTTPRequest(.get, "/c").host == nil)
  }
}

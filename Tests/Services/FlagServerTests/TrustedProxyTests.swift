import FlagHTTP
import Testing

@testable import FlagServer

@Suite("Trusted proxies")
struct TrustedProxyTests {
  private static let proxies: TrustedProxies = {
    var proxies = TrustedProxies()
    for text in ["10.0.0.0/8", "fd00::/9", "192.0.2.7"] { _ = proxies.add(text) }
    return proxies
  }()

  @Test(
    "A client is the last address before those of the proxies, and only a proxy may name one",
    arguments: [
      ("10.1.1.1", "203.0.113.9", "203.0.113.9"), ("10.1.1.1", "1.1.1.1, 203.0.113.9, 10.2.2.2", "203.0.113.9"),
      ("10.1.1.1", "10.2.2.2", "10.2.2.2"), ("fd7f::1", "2001:db8::1", "2001:db8::1"),
      ("fd80::1", "1.1.1.1", "fd80::1"),
      ("192.0.2.7", "1.1.1.1", "1.1.1.1"), ("192.0.2.8", "1.1.1.1", "192.0.2.8"), ("11.0.0.1", "1.1.1.1", "11.0.0.1"),
      ("10.1.1.1", "1.1.1.1:4711", "1.1.1.1"), ("10.1.1.1", "[2001:db8::1]:4711", "2001:db8::1"),
      ("10.1.1.1", "", "10.1.1.1"), ("10.1.1.1", "1.1.1.1, secret", "10.1.1.1"),
    ])
  func namesClients(peer: String, forwarded: String, client: String) {
    let message = HTTPRequest(.get, "/", fields: [.forwardedFor: forwarded])
    #expect(Self.proxies.client(of: message, from: Peer(address: peer, port: 1)).peer.address == client)
    #expect(TrustedProxies().client(of: message, from: Peer(address: peer, port: 1)).peer.address == peer)
  }

  @Test(
    "A prefix is a path of plain components",
    arguments: [
      ("/flagsvc", "/flagsvc"), ("/a/b-c_d.e~f/", "/a/b-c_d.e~f"), ("/", ""), ("", ""), ("a", nil), ("//a", nil),
      ("/a//b", nil), ("/..", nil), ("/a b", nil), ("/a?b", nil), ("/\"", nil), ("/%41", nil),
      ("/" + String(repeating: "a", count: 256), nil),
    ] as [(String, String?)])
  func readsPrefixes(text: String, prefix: String?) throws {
    #expect(TrustedProxies.prefix(text) == prefix)
    let message = HTTPRequest(.get, "/", fields: [.forwardedPrefix: text])
    #expect(Self.proxies.client(of: message, from: Peer(address: "10.0.0.1", port: 1)).prefix == prefix ?? "")
    #expect(Self.proxies.client(of: message, from: Peer(address: "11.0.0.1", port: 1)).prefix == "")
  }

  @Test(
    "What is no network is refused", arguments: ["", "a", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "1/2/3", "10.0.0/8"])
  func refuses(text: String) {
    var proxies = TrustedProxies()
    let isAdded = proxies.add(text)
    #expect(!isAdded)
  }

  @Test("Bulk answers name the stream under the prefix that is set, or that a proxy says, and requests may have it")
  func prefixesStreams() throws {
    let fixture = try FlagServiceFixture { $0.pathPrefix = "/flagsvc" }
    #expect(try fixture.evaluateAll().text.contains(#""requestUri":"/flagsvc/ofrep/v1/flags/events""#))
    let service = Service(fixture.flags.routes, prefix: ["flagsvc"])
    for target in ["/flagsvc/flags/events", "/flags/events", "/flagsvc/ofrep/v1/flags/events"] {
      guard case .handle = service.plan(HTTPRequest(.get, target), from: Peer(address: "", port: 0)) else {
        Issue.record("\(target) is not found")
        continue
      }
    }
  }
}

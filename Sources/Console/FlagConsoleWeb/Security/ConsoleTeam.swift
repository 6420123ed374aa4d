package import FlagConsole
package import FlagHTTP
package import FlagServer

/// The people who reach a console through a proxy that signs them in, such as oauth2-proxy.
///
/// The proxy puts the person's name into a header field. A request has a person only if a trusted proxy sent it, and
/// it has that field once: anyone else could write any name, and with two fields one may be the browser's.
package struct ConsoleTeam: Sendable {
  /// The address to listen on.
  package let host: String
  package let proxies: TrustedProxies
  /// The origin of the pages, as browsers see it: "https://flags.example.com".
  package let origin: String
  private let field: HTTPFieldName
  private let known: @Sendable (_ name: String) -> FlagConsolePerson?

  /// Creates a team.
  ///
  /// - Parameters:
  ///   - host: The address to listen on.
  ///   - proxies: The proxies whose field is believed.
  ///   - origin: The origin of the pages.
  ///   - field: The header field with the person's name.
  ///   - known: The closure that returns what a person may do, on any thread, for each request; nil for nothing.
  package init(
    at host: String, behind proxies: TrustedProxies, origin: String, field: HTTPFieldName,
    _ known: @escaping @Sendable (_ name: String) -> FlagConsolePerson?
  ) {
    (self.host, self.proxies, self.origin, self.field, self.known) = (host, proxies, origin, field, known)
  }

  /// Returns the person who sent a request; nil for one who is not let in.
  func person(of message: HTTPRequest, from peer: Peer) -> FlagConsolePerson? {
    let names = message.fields.values(of: field)
    guard peer.isProxied, names.count == 1, Self.isName(names[0]) else { return nil }
    return known(names[0])
  }

  /// Whether a text is one name: some proxies join several fields by commas.
  private static func isName(_ text: String) -> Bool {
    let isVisible = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") }
    return isVisible && (1...254).contains(text.utf8.count)
  }
}

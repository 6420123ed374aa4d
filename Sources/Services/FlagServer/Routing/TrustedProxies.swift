import FlagHTTP

/// The proxies whose fields about their clients are believed: `X-Forwarded-For`, `X-Forwarded-Prefix`, and names of
/// people.
///
/// Any other client could write there what it likes.
package struct TrustedProxies: Hashable, Sendable {
  private var networks: [Network] = []

  /// Creates a set of no proxies.
  package init() {}

  /// The network of an address, or of all addresses that begin with so many of its bits.
  private struct Network: Hashable {
    let bytes: [UInt8]
    let bits: Int

    func contains(_ other: [UInt8]) -> Bool {
      guard bytes.count == other.count else { return false }
      return (0..<bytes.count).allSatisfy { index in
        let unused = min(8, max(0, (index + 1) * 8 - bits))
        return (bytes[index] ^ other[index]) >> unused == 0
      }
    }
  }

  /// Adds an address, or a network such as "10.0.0.0/8"; returns false if the text is neither.
  package mutating func add(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = [UInt8](address: String(parts[0])) else { return false }
    let bits = parts.count == 1 ? bytes.count * 8 : Int(parts[1]) ?? -1
    guard (0...bytes.count * 8).contains(bits) else { return false }
    networks.append(Network(bytes: bytes, bits: bits))
    return true
  }

  /// Returns whether an address is that of a proxy.
  func contains(_ address: String) -> Bool {
    guard !networks.isEmpty, let bytes = [UInt8](address: address) else { return false }
    return networks.contains { $0.contains(bytes) }
  }

  /// Returns the client that a request is from, and the path under which the proxy serves this server.
  ///
  /// It is the last address before those of the proxies; the peer itself if it is no proxy, or says nothing.
  func client(of message: HTTPRequest, from peer: Peer) -> (peer: Peer, prefix: String) {
    guard contains(peer.address) else { return (peer, "") }
    var client = peer
    client.isProxied = true
    for part in (message.fields[.forwardedFor] ?? "").split(separator: ",").reversed() {
      let text = String(part.trimmingHTTPSpace)
      // Some proxies add the port.
      let name = [UInt8](address: text) == nil ? HTTPHost(text)?.name.filter { $0 != "[" && $0 != "]" } : text
      guard let address = name, [UInt8](address: address) != nil else { break }
      client = Peer(address: address, port: 0)
      (client.local, client.isProxied) = (peer.local, true)
      if !contains(address) { break }
    }
    return (client, message.fields[.forwardedPrefix].flatMap(Self.prefix) ?? "")
  }

  /// Returns a path as it stands before that of a route; nil for any other text.
  package static func prefix(_ text: String) -> String? {
    var text = Substring(text)
    while text.hasSuffix("/") { text.removeLast() }
    let isPath = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._~/".utf8.contains(byte)
    }
    guard isPath, text.utf8.count <= 256, text.isEmpty || text.hasPrefix("/"), let target = RequestTarget("\(text)/"),
      target.path.dropLast().allSatisfy({ !$0.isEmpty })
    else { return nil }
    return String(text)
  }
}

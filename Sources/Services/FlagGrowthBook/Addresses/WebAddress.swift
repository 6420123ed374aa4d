/// The address of a page, in its parts.
struct WebAddress: Hashable, Sendable {
  let scheme: String
  /// The host in lower case, and the port unless it is the scheme's own.
  let host: String
  let path: String
  /// The query without its question mark; nil if there is none.
  var query: String?
  let fragment: String?

  /// Parses an address.
  ///
  /// - Parameters:
  ///   - text: The address; without a scheme, it is relative to the other one.
  ///   - base: The other address; nil to refuse addresses without a scheme.
  init?(_ text: String, relativeTo base: WebAddress? = nil) {
    var rest = text.utf8[...]
    fragment = Self.cut(&rest, from: UInt8(ascii: "#"))
    query = Self.cut(&rest, from: UInt8(ascii: "?"))
    if let colon = Self.schemeEnd(rest) {
      scheme = String(Substring(rest[..<colon])).lowercased()
      rest = rest[rest.index(after: colon)...]
      guard rest.starts(with: "//".utf8) else { return nil }
    } else {
      guard let base else { return nil }
      scheme = base.scheme
      guard rest.starts(with: "//".utf8) else {
        host = base.host
        path = rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : "/" + String(Substring(rest))
        return
      }
    }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    guard let host = Self.host(rest[..<end], scheme: scheme) else { return nil }
    self.host = host
    path = end == rest.endIndex ? "/" : String(Substring(rest[end...]))
  }

  private typealias Bytes = Substring.UTF8View

  private static func cut(_ text: inout Bytes, from mark: UInt8) -> String? {
    guard let start = text.firstIndex(of: mark) else { return nil }
    let cut = String(Substring(text[text.index(after: start)...]))
    text = text[..<start]
    return cut
  }

  private static func schemeEnd(_ text: Bytes) -> Bytes.Index? {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text.first.map(isLetter) == true else { return nil }
    let isScheme = text[..<colon].allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    return isScheme ? colon : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

  private static func host(_ authority: Bytes, scheme: String) -> String? {
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) } ?? authority.startIndex
    var host = String(Substring(authority[start...])).lowercased()
    for (name, port) in [("http", ":80"), ("https", ":443")] where scheme == name && host.hasSuffix(port) {
      host.removeLast(port.count)
    }
    return host.isEmpty || host.contains(" ") ? nil : host
  }
}

extension WebAddress {
  var origin: String { "\(scheme)://\(host)" }

  /// The part after the host.
  var reference: String { path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "") }

  var text: String { origin + reference }

  /// Returns an address without its scheme and host.
  static func pathOnly(of text: String) -> String {
    var rest = text[...]
    for scheme in ["https://", "http://"] where rest.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      break
    }
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? String(rest)
  }

  /// Returns the number of the variation that the query of an address chooses for an experiment, or nil.
  static func variation(of key: String, in address: String, of count: Int) -> Int? {
    let page = address.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = page.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    for pair in page[page.index(after: mark)...].split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].elementsEqual(key.utf8) else { continue }
      guard let variation = Int(String(Substring(parts[1]))), (0..<count).contains(variation) else { return nil }
      return variation
    }
    return nil
  }
}

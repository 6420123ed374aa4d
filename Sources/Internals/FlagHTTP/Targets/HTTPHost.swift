/// The host, and optionally the port, that a request is for (RFC 9110, 7.2).
package struct HTTPHost: Hashable, Sendable {
  /// The name in lower case; an IPv6 address has its brackets.
  package let name: String
  /// The port, if one was given.
  package let port: Int?

  /// Parses the value of a field; nil if it is not a host.
  package init?(_ text: String) {
    let end: String.Index
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return nil }
      let address = text[text.index(after: text.startIndex)..<bracket]
      guard !address.isEmpty, address.utf8.allSatisfy(\.isIPv6Character) else { return nil }
      end = text.index(after: bracket)
    } else {
      end = text.firstIndex(of: ":") ?? text.endIndex
      guard end > text.startIndex, text[..<end].utf8.allSatisfy(\.isHostCharacter) else { return nil }
    }
    name = text[..<end].lowercased()
    let rest = text[end...]
    if rest.isEmpty {
      port = nil
    } else {
      guard rest.first == ":", let number = rest.dropFirst().utf8.decimalNumber, number <= 65535 else { return nil }
      port = number
    }
  }

  /// Whether the name means the machine itself: localhost, 127.0.0.1 or [::1].
  package var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(name) }
}

extension HTTPHost: CustomStringConvertible {
  package var description: String { port.map { "\(name):\($0)" } ?? name }
}

extension HTTPRequest {
  /// The host that the request is for: that of its target if it names one, otherwise that of its `Host` field.
  package var host: HTTPHost? {
    if let authority = RequestTarget.authority(of: target[...]) { return HTTPHost(String(authority)) }
    return fields[.host].flatMap(HTTPHost.init)
  }
}

extension UInt8 {
  fileprivate var isHostCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    default: isASCIIDigit
    }
  }

  fileprivate var isIPv6Character: Bool {
    hexDigitValue != nil || self == UInt8(ascii: ":") || self == UInt8(ascii: ".")
  }
}

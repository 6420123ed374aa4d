/// Percent-encoding: bytes as a percent sign and two hexadecimal digits (RFC 3986, 2.1).
package enum PercentEncoding {
  /// Returns a text decoded; nil if a percent sign lacks its digits, or the bytes are not UTF-8.
  package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    guard text.utf8.contains(where: { $0 == percent || $0 == plus }) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case percent:
        guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else { return nil }
        bytes.append(high << 4 | low)
      case plus where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns a text with every byte encoded except unreserved ones: letters, digits and "-._~".
  package static func encode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved {
        bytes.append(byte)
      } else {
        bytes += [percent, digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
  private static let plus = UInt8(ascii: "+")
  private static let digits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
  /// Whether the byte is unreserved, so that it needs no encoding in any part of a target (RFC 3986, 2.3).
  fileprivate var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isASCIIDigit
    }
  }
}

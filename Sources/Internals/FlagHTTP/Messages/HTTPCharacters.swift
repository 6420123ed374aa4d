/// The classes of characters of RFC 9110, 5.5 and 5.6.
extension UInt8 {
  /// Whether the byte may be part of a token, such as a field's name or a method.
  @inline(__always)
  var isHTTPTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"): true
    case UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    case UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// Whether the byte may be part of a field's value: neither a control character, except the tab, nor DEL.
  @inline(__always)
  var isHTTPFieldValueCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

  @inline(__always)
  var isHTTPSpace: Bool { self == 0x20 || self == 0x09 }

  @inline(__always)
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  @inline(__always)
  var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// The value of the byte as a hexadecimal digit.
  @inline(__always)
  var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension StringProtocol {
  /// Whether the text is a token: at least one character, all of them token characters.
  var isHTTPToken: Bool { !isEmpty && utf8.allSatisfy(\.isHTTPTokenCharacter) }

  /// The text without spaces and tabs at its ends.
  package var trimmingHTTPSpace: Substring {
    var rest = Substring(self).utf8
    while rest.first?.isHTTPSpace == true { rest.removeFirst() }
    while rest.last?.isHTTPSpace == true { rest.removeLast() }
    return Substring(rest)
  }

  /// Returns whether two texts are equal, ignoring the case of ASCII letters.
  func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }
}

extension Collection<UInt8> {
  /// The number that the bytes write in decimal; nil if one is not a digit, there are no bytes, or it exceeds an Int.
  var decimalNumber: Int? {
    guard !isEmpty else { return nil }
    var number = 0
    for byte in self {
      guard byte.isASCIIDigit else { return nil }
      let (product, overflows) = number.multipliedReportingOverflow(by: 10)
      let (sum, exceeds) = product.addingReportingOverflow(Int(byte & 0x0F))
      guard !overflows, !exceeds else { return nil }
      number = sum
    }
    return number
  }
}

/// Reads the parts of a semantic version off the front of a text.
///
/// It reads a buffer of UTF-8 that its owner lends for as long as the reader is used; what it gives back is part of it.
struct VersionReader {
  typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  private var rest: Text
  /// Whether all three numbers stood in the text; only then more may follow.
  private var isComplete = true

  init(_ text: UnsafeBufferPointer<UInt8>) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipV() {
    if !skip("v") { _ = skip("V") }
  }

  /// Reads a number without leading zeros; nil as well for one of more than 38 digits.
  mutating func number() -> UInt128? {
    guard let first = rest.first, first.isDigit else { return nil }
    var number: UInt128 = 0
    let hasLeadingZero = first == UInt8(ascii: "0")
    var count = 0
    while let digit = rest.first, digit.isDigit, count < 38 {
      number = number &* 10 &+ UInt128(digit &- UInt8(ascii: "0"))
      count += 1
      rest = rest.dropFirst()
    }
    return hasLeadingZero && count > 1 ? nil : number
  }

  /// Reads a dot and a number; at the end of the text the number is 0.
  mutating func nextNumber() -> UInt128? {
    if isAtEnd {
      isComplete = false
      return 0
    }
    return skip(".") ? number() : nil
  }

  /// Reads a hyphen and a pre-release; nothing where there is no hyphen.
  mutating func preRelease() -> Text? {
    guard isComplete, skip("-") else { return rest.prefix(0) }
    return parts { !$0.isNumberWithLeadingZero }
  }

  /// Skips a plus sign and build metadata; returns false where that is not well formed.
  mutating func skipBuild() -> Bool {
    guard isComplete, skip("+") else { return true }
    return parts { _ in true } != nil
  }
}

extension VersionReader {
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads parts with dots between them, each of letters, digits and hyphens and to the liking of the caller.
  private mutating func parts(where isValid: (Text) -> Bool) -> Text? {
    let all = rest
    repeat {
      let part = rest.prefix { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") }
      guard !part.isEmpty, isValid(part) else { return nil }
      rest = rest[part.endIndex...]
    } while skip(".")
    return all[..<rest.startIndex]
  }
}

extension VersionReader.Text {
  fileprivate var isNumberWithLeadingZero: Bool {
    first == UInt8(ascii: "0") && dropFirst().first != nil && allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

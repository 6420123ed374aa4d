import FlagJSON

/// A reader that consumes the parts of a semantic version from the start of a string.
///
/// It reads a UTF-8 buffer that must be valid for as long as the reader is used; it returns ranges of that buffer.
struct VersionReader {
  typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  private var rest: Text
  /// Whether all three numbers are in the text; only then may anything follow them, in a strict reading.
  private var isComplete = true
  private let isLenient: Bool

  init(_ text: UnsafeBufferPointer<UInt8>, isLenient: Bool) {
    rest = text[...]
    self.isLenient = isLenient
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skipV() {
    if !skip("v") { _ = skip("V") }
  }

  /// Reads a number without leading zeros, and returns the range of its digits: empty for zero.
  mutating func number() -> Range<Int>? {
    let digits = rest.prefix(while: \.isDigit)
    guard let first = digits.first else { return nil }
    rest = rest[digits.endIndex...]
    let isZero = first == UInt8(ascii: "0")
    if isZero { return digits.count == 1 ? 0..<0 : nil }
    return digits.startIndex..<digits.endIndex
  }

  mutating func nextNumber() -> Range<Int>? {
    if isAtEnd || isLenient && rest.first != UInt8(ascii: ".") {
      isComplete = isLenient
      return 0..<0
    }
    return skip(".") ? number() : nil
  }

  mutating func preRelease() -> Range<Int>? {
    guard isComplete, skip("-") else { return 0..<0 }
    return parts { !$0.isNumberWithLeadingZero }
  }

  /// Skips a plus sign and build metadata; returns false if they are malformed.
  mutating func skipBuild() -> Bool {
    guard isComplete, skip("+") else { return true }
    return parts { _ in true } != nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads parts joined by dots, each of letters, digits and hyphens and accepted by a closure.
  private mutating func parts(where isValid: (Text) -> Bool) -> Range<Int>? {
    let start = rest.startIndex
    repeat {
      let part = rest.prefix { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") }
      guard !part.isEmpty, isValid(part) else { return nil }
      rest = rest[part.endIndex...]
    } while skip(".")
    return start..<rest.startIndex
  }
}

extension VersionReader.Text {
  fileprivate var isNumberWithLeadingZero: Bool {
    first == UInt8(ascii: "0") && dropFirst().first != nil && allSatisfy(\.isDigit)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

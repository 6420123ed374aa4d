import FlagJSON

package enum NumberText {
  package static func write(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
    let (digits, point) = shortestDigits(of: value.magnitude)
    return (value < 0 ? "-" : "") + place(point, in: digits)
  }

  package static func read(_ text: String) -> Double {
    let trimmed = trim(text)
    if trimmed.isEmpty { return 0 }
    if let value = readRadix(trimmed) { return value }
    let length = numeralLength(trimmed)
    return length == trimmed.count ? value(of: trimmed) : .nan
  }

  static func readPrefix(_ text: String) -> Double {
    let trimmed = trim(text)
    return value(of: trimmed.prefix(numeralLength(trimmed)))
  }

  /// Returns the digits of a positive number, and the position of the decimal point among them.
  private static func shortestDigits(of value: Double) -> (digits: String, point: Int) {
    let parts = "\(value)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
    let all = mantissa[0] + (fraction == "0" ? "" : fraction)
    let significant = all.drop { $0 == "0" }
    let point = mantissa[0].count + exponent - (all.count - significant.count)
    let zeros = significant.reversed().prefix { $0 == "0" }.count
    return (String(significant.dropLast(zeros)), point)
  }

  private static func place(_ point: Int, in digits: String) -> String {
    switch point {
    case digits.count...21 where point >= digits.count:
      return digits + String(repeating: "0", count: point - digits.count)
    case 1...21: return "\(digits.prefix(point)).\(digits.dropFirst(point))"
    case -5...0: return "0." + String(repeating: "0", count: -point) + digits
    default:
      let exponent = point - 1
      let mantissa = digits.count == 1 ? digits : "\(digits.prefix(1)).\(digits.dropFirst())"
      return mantissa + "e" + (exponent < 0 ? "-" : "+") + String(exponent.magnitude)
    }
  }

  private typealias Bytes = ArraySlice<UInt8>

  private static func trim(_ text: String) -> Bytes {
    let scalars = text.unicodeScalars
    let start = scalars.drop(while: isSpace)
    let count = start.reversed().prefix(while: isSpace).count
    return Array(String(start.dropLast(count)).utf8)[...]
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{9}"..."\u{d}", "\u{feff}", "\u{2028}", "\u{2029}": true
    default: scalar.properties.generalCategory == .spaceSeparator
    }
  }

  /// Parses integers with a prefix: `0x10`, `0o17`, `0b101`.
  private static func readRadix(_ text: Bytes) -> Double? {
    let radixes: [UInt8: Int] = [
      UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
    ]
    guard text.first == UInt8(ascii: "0"), let radix = text.dropFirst().first.flatMap({ radixes[$0 | 0x20] }) else {
      return nil
    }
    let digits = text.dropFirst(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard !digits.isEmpty, digits.allSatisfy({ ($0 ?? radix) < radix }) else { return .nan }
    return digits.reduce(0) { $0 * Double(radix) + Double($1 ?? 0) }
  }

  /// Returns the length in bytes of the decimal numeral or infinity at the beginning; 0 if there is no such prefix.
  private static func numeralLength(_ text: Bytes) -> Int {
    var rest = text
    rest.skip("+-")
    if rest.starts(with: "Infinity".utf8) { return text.count - rest.count + 8 }
    let whole = rest.skipDigits()
    let afterWhole = rest
    // A point counts only if a digit is before or after it, and an exponent only if it has a digit.
    if rest.skip("."), !rest.skipDigits(), !whole { rest = afterWhole }
    guard whole || rest.count < afterWhole.count else { return 0 }
    let afterFraction = rest
    if rest.skip("eE") {
      rest.skip("+-")
      if !rest.skipDigits() { rest = afterFraction }
    }
    return text.count - rest.count
  }

  private static func value(of numeral: Bytes) -> Double {
    if numeral.last == UInt8(ascii: "y") { return numeral.first == UInt8(ascii: "-") ? -.infinity : .infinity }
    return Double(String(decoding: numeral, as: UTF8.self)) ?? .nan
  }
}

extension ArraySlice<UInt8> {
  /// Skips one of some characters; returns whether there is one.
  @discardableResult
  fileprivate mutating func skip(_ characters: String) -> Bool {
    guard let first, characters.utf8.contains(first) else { return false }
    removeFirst()
    return true
  }

  /// Skips digits; returns whether there are any.
  fileprivate mutating func skipDigits() -> Bool {
    let count = count
    self = drop { $0.isDigit }
    return self.count < count
  }
}

import FlagJSON

/// A reader that consumes a decimal numeral at the start of a string, as JavaScript delimits it.
struct NumeralReader {
  private(set) var rest: ArraySlice<UInt8>

  mutating func read() -> Bool {
    skip("+-")
    if rest.starts(with: "Infinity".utf8) {
      rest = rest.dropFirst(8)
      return true
    }
    let whole = skipDigits()
    let fraction = skipFraction(afterDigits: whole)
    guard whole || fraction else { return false }
    skipExponent()
    return true
  }

  @discardableResult
  private mutating func skip(_ characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func skipDigits() -> Bool {
    let count = rest.count
    rest = rest.drop { $0.isDigit }
    return rest.count < count
  }

  /// Skips a fraction; a point counts only if a digit is before or after it.
  private mutating func skipFraction(afterDigits: Bool) -> Bool {
    let start = rest
    guard skip(".") else { return false }
    let hasDigits = skipDigits()
    if !hasDigits && !afterDigits { rest = start }
    return hasDigits
  }

  /// Skips an exponent, which counts only if it has a digit.
  private mutating func skipExponent() {
    let start = rest
    guard skip("eE") else { return }
    skip("+-")
    if !skipDigits() { rest = start }
  }
}

import FlagDomain

/// A numeral, as far as it is examined while it is skipped.
private struct Numeral {
  var range: Range<Int>
  var isNegative = false
  /// Whether it has neither a fraction nor an exponent.
  var isInteger = true
  var digits = Digits()
  /// The power of ten to multiply the digits by.
  var exponent = 0
}

/// Digits of a numeral as one number, as many as fit.
private struct Digits {
  var number: UInt64 = 0
  /// Whether `number` has all digits.
  var isComplete = true

  @inline(__always)
  mutating func append(_ digit: UInt8) {
    // The largest number to which any further digit can be appended.
    isComplete = isComplete && number <= (UInt64.max - 9) / 10
    if isComplete { number = number * 10 + UInt64(digit) }
  }
}

extension JSONReader {
  /// Skips a number; while the builder is active, builds it.
  @inline(__always)
  mutating func passNumberValue() throws(JSONError) {
    let numeral = try passNumeral()
    isBeforeValue = false
    guard builder.isMaking else { return }
    if let value = text.value(of: numeral), !value.isBeyondDoubles || keepsHugeNumbers {
      builder.values.append(value)
    } else {
      builder.fail(
        with: JSONError(
          code: .range, offset: numeral.range.lowerBound, path: path, expected: "a number that a double can hold",
          found: text.string(in: numeral.range).excerpt))
    }
  }

  @inline(__always)
  private mutating func passNumeral() throws(JSONError) -> Numeral {
    var numeral = Numeral(range: offset..<offset)
    numeral.isNegative = pass("-")
    let first = offset
    try passDigits(&numeral.digits)
    if text.byte(at: first) == UInt8(ascii: "0"), offset > first + 1 {
      offset = first
      throw error(expected: "a number without leading zeros")
    }
    if pass(".") {
      numeral.isInteger = false
      let point = offset
      try passDigits(&numeral.digits)
      numeral.exponent = point - offset
    }
    if pass("e") || pass("E") {
      numeral.isInteger = false
      numeral.exponent += try passExponent()
    }
    numeral.range = numeral.range.lowerBound..<offset
    return numeral
  }

  private mutating func passExponent() throws(JSONError) -> Int {
    let isNegative = pass("-")
    if !isNegative { _ = pass("+") }
    var digits = Digits()
    try passDigits(&digits)
    // Far more than any number of digits before it can offset, and far from overflowing.
    let power = digits.isComplete ? min(Int(clamping: digits.number), Int.max / 4) : Int.max / 4
    return isNegative ? -power : power
  }

  @inline(__always)
  private mutating func pass(_ character: Unicode.Scalar) -> Bool {
    guard text.byte(at: offset) == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  private mutating func passDigits(_ digits: inout Digits) throws(JSONError) {
    let start = offset
    while case let byte = text.byte(at: offset), byte.isDigit {
      digits.append(byte - UInt8(ascii: "0"))
      offset += 1
    }
    guard offset > start else { throw error(expected: "a digit") }
  }
}

extension JSONText {
  /// Returns the number that a numeral denotes.
  @inline(__always)
  fileprivate func value(of numeral: Numeral) -> FlagValue? {
    guard numeral.digits.isComplete else { return longValue(of: numeral) }
    if numeral.isInteger {
      return .int(numeral.isNegative ? -Int128(numeral.digits.number) : Int128(numeral.digits.number))
    }
    return exactDouble(of: numeral).map(FlagValue.double) ?? longValue(of: numeral)
  }

  /// Returns the double that a numeral denotes if one operation on exact doubles gives it, and if the double gives the
  /// numeral back; otherwise nil.
  ///
  /// Integers up to 2^53 and powers of ten up to 10^22 are doubles, and IEEE 754 rounds a product or a quotient of two
  /// doubles correctly (W. D. Clinger, "How to read floating point numbers accurately", 1990, section 3). No other
  /// numeral of at most 15 digits has the same double.
  @inline(__always)
  private func exactDouble(of numeral: Numeral) -> Double? {
    guard numeral.digits.number < 1_000_000_000_000_000, -22...22 ~= numeral.exponent else { return nil }
    var power = 1.0
    for _ in 0..<abs(numeral.exponent) { power *= 10 }
    let digits = Double(numeral.digits.number)
    let magnitude = numeral.exponent < 0 ? digits / power : digits * power
    return numeral.isNegative ? -magnitude : magnitude
  }

  /// Returns the number that a numeral of any length and any exponent denotes.
  private func longValue(of numeral: Numeral) -> FlagValue? { FlagValue(numeral: string(in: numeral.range)) }
}

extension FlagValue {
  @inline(__always)
  fileprivate var isBeyondDoubles: Bool { if case .double(let number, _) = self { !number.isFinite } else { false } }
}

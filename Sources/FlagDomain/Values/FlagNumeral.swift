/// The text of a number that a double does not give back, such as `1234567890123456.78`.
///
/// Reading and writing see the text, so that a decimal number or an integer is exact. Rules, comparisons and hashes see
/// the double that stands beside it.
public final class FlagNumeral: Sendable {
  /// The number in JSON's grammar (RFC 8259, section 6).
  public let text: String

  fileprivate init(_ text: String) { self.text = text }
}

extension FlagValue {
  /// Creates a floating-point number.
  @inlinable
  public static func double(_ number: Double) -> FlagValue { .double(number, nil) }

  /// Creates the number that a text in JSON's grammar denotes; nil for any other text.
  ///
  /// A text without a fraction or an exponent is an integer, if that has at most 128 bits. Any other number is the
  /// closest double, which is infinite beyond the largest one. It keeps the text if the double's shortest text is
  /// another number.
  public init?(numeral text: String) {
    guard let decimal = DecimalNumber(text), let double = Double(text) else { return nil }
    if decimal.isInteger, let number = Int128(text) {
      self = .int(number)
    } else {
      self = .double(double, double.isFinite && decimal == DecimalNumber("\(double)") ? nil : FlagNumeral(text))
    }
  }
}

extension FlagNumeral {
  /// The number as an integer; nil if it has a fraction, or more digits than any integer type.
  var whole: WholeNumber? { DecimalNumber(text)?.whole }
}

/// An integer of any type: a sign, and up to 128 bits.
struct WholeNumber: Equatable {
  fileprivate let isNegative: Bool
  fileprivate let magnitude: UInt128

  fileprivate init(isNegative: Bool, magnitude: UInt128) {
    (self.isNegative, self.magnitude) = (isNegative, magnitude)
  }

  /// Creates the integer that a double is, and that its shortest text is, too; nil if they differ.
  ///
  /// Up to 2^53 they are the same. Beyond, a document may mean one or the other.
  init?(exactlyWritten number: Double) {
    guard let magnitude = UInt128(exactly: number.magnitude) else { return nil }
    self.init(isNegative: number < 0, magnitude: magnitude)
    guard number.magnitude <= 0x1p53 || DecimalNumber("\(number)")?.whole == self else { return nil }
  }
}

extension FixedWidthInteger {
  /// Creates the integer of this type that a number is; nil if it does not fit.
  init?(exactly number: WholeNumber) {
    if number.isNegative {
      guard number.magnitude <= Int128.min.magnitude else { return nil }
      self.init(exactly: Int128(truncatingIfNeeded: 0 &- number.magnitude))
    } else {
      self.init(exactly: number.magnitude)
    }
  }
}

/// The digits of a number, without zeros before and after them, and the power of ten to multiply them by.
private struct DecimalNumber: Equatable {
  private var isNegative: Bool
  private var digits: [UInt8]
  private var exponent: Int
  /// Whether it is written without a fraction or an exponent.
  let isInteger: Bool

  static func == (left: Self, right: Self) -> Bool {
    left.isNegative == right.isNegative && left.exponent == right.exponent && left.digits == right.digits
  }

  /// Reads a numeral in JSON's grammar, as descriptions of finite doubles are, too.
  init?(_ text: String) {
    var rest = text.utf8[...]
    func take(_ characters: String) -> UInt8? {
      guard let first = rest.first, characters.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    func takeDigits() -> Substring.UTF8View {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest[digits.endIndex...]
      return digits
    }
    isNegative = take("-") != nil
    let whole = takeDigits()
    guard let first = whole.first, first != UInt8(ascii: "0") || whole.count == 1 else { return nil }
    digits = Array(whole)
    exponent = 0
    let hasFraction = take(".") != nil
    if hasFraction {
      let fraction = takeDigits()
      guard !fraction.isEmpty else { return nil }
      digits += fraction
      exponent = -fraction.count
    }
    let hasExponent = take("eE") != nil
    if hasExponent {
      let sign = take("+-")
      let power = takeDigits()
      guard !power.isEmpty else { return nil }
      // Far more than any number of digits can offset, and far from overflowing.
      let amount = min(Int(Substring(power)) ?? .max, .max / 4)
      exponent += sign == UInt8(ascii: "-") ? -amount : amount
    }
    guard rest.isEmpty else { return nil }
    isInteger = !hasFraction && !hasExponent
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  /// The number as an integer; nil if it has a fraction, or more digits than any integer type.
  var whole: WholeNumber? {
    guard exponent >= 0, exponent < 40, digits.count < 40 else { return nil }
    let text = "0" + String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent)
    return UInt128(text).map { WholeNumber(isNegative: isNegative && $0 > 0, magnitude: $0) }
  }
}

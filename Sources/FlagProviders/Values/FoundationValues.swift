public import FlagDomain
public import FlagFoundation
import FlagSupport

extension Date: FlagValueConvertible {
  /// Reads a date from its ISO 8601 form, such as `2027-01-31T09:30:00.25Z`.
  public init(flagValue: FlagValue) throws(FlagError) {
    guard case .string(let text) = flagValue, let seconds = Timestamp(text, isStrict: true)?.secondsSinceReference
    else { throw .mismatch(flagValue, expected: "a date such as 2027-01-31T09:30:00.25Z") }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// The date in ISO 8601 form, in UTC, with as many digits as are needed to read the same date back.
  public var flagValue: FlagValue {
    get throws(FlagError) {
      guard let timestamp = Timestamp(secondsSinceReference: timeIntervalSinceReferenceDate) else {
        // The date's own description traps on such dates.
        throw FlagError(
          .typeMismatch,
          "expected a date in the years 0 to 9999, found \(timeIntervalSinceReferenceDate) s from 2001-01-01")
      }
      return .string(timestamp.description)
    }
  }
}

extension Data: FlagValueConvertible {
  /// Reads bytes from base64.
  public init(flagValue: FlagValue) throws(FlagError) {
    guard case .string(let text) = flagValue, let data = Data(base64Encoded: text) else {
      throw .mismatch(flagValue, expected: "base64")
    }
    self = data
  }

  /// The bytes in base64.
  public var flagValue: FlagValue { .string(base64EncodedString()) }
}

extension URL: FlagValueConvertible {
  /// Reads a URL as it is: characters that a URL cannot contain are not escaped, but rejected.
  public init(flagValue: FlagValue) throws(FlagError) {
    guard case .string(let text) = flagValue, let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw .mismatch(flagValue, expected: "a URL")
    }
    self = url
  }

  /// The URL as text, resolved against its base.
  public var flagValue: FlagValue { .string(absoluteString) }
}

extension Decimal: FlagValueConvertible {
  /// Reads a number, or a numeral such as `-12.50` or `1e-7` in a string, of at most 38 significant digits.
  public init(flagValue: FlagValue) throws(FlagError) {
    let numeral: String? =
      switch flagValue {
      case .int(let number): String(number)
      case .double(let number, let numeral): numeral?.text ?? number.description
      case .string(let text): text
      case .null, .bool, .array, .object: nil
      }
    guard let numeral, let decimal = Decimal(exactly: numeral) else {
      throw .mismatch(flagValue, expected: "a number of at most 38 digits")
    }
    self = decimal
  }

  /// The number as a string of digits, since a double cannot represent a fraction with so many digits.
  public var flagValue: FlagValue {
    get throws(FlagError) {
      guard isFinite else { throw FlagError(.typeMismatch, "expected a number, found NaN") }
      return .string(description)
    }
  }

  private init?(exactly numeral: String) {
    let pattern = /-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d{1,3})?/
    guard let match = numeral.wholeMatch(of: pattern.asciiOnlyDigits()) else { return nil }
    let digits = (match.1 + (match.2 ?? "")).drop { $0 == "0" }
    let zeros = digits.reversed().prefix { $0 == "0" }.count
    guard digits.count - zeros <= 38, let decimal = Decimal(string: numeral, locale: nil), decimal.isFinite,
      (decimal == Decimal()) == digits.isEmpty
    else { return nil }
    self = decimal
  }
}

extension FlagError {
  fileprivate static func mismatch(_ value: FlagValue, expected: String) -> FlagError {
    FlagError(.typeMismatch, "expected \(expected), found \(value.typeName) \(value)")
  }
}

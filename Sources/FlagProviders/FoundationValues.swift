public import FlagDomain
public import Foundation

extension Date: FlagValueConvertible {
  /// Reads a moment from its ISO 8601 form, such as `2027-01-31T09:30:00.25Z`.
  public init(flagValue: FlagValue) throws(FlagError) {
    guard case .string(let text) = flagValue, let seconds = Timestamp(text)?.secondsSinceReference else {
      throw .mismatch(flagValue, expected: "a date such as 2027-01-31T09:30:00.25Z")
    }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// The moment in ISO 8601 form, in UTC, with as many digits as it takes to read the same moment back.
  ///
  /// Within a second of 2001-01-01, where dates are finer than that, it has at most 20 digits.
  public var flagValue: FlagValue {
    get throws(FlagError) {
      guard let timestamp = Timestamp(secondsSinceReference: timeIntervalSinceReferenceDate) else {
        // The date's own description traps on such dates.
        throw FlagError(
          .typeMismatch,
          "expected a date in the years 1 to 9999, found \(timeIntervalSinceReferenceDate) s from 2001-01-01")
      }
      return .string(timestamp.text)
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
  /// Reads a URL as it stands: characters that a URL cannot hold are not escaped, but refused.
  public init(flagValue: FlagValue) throws(FlagError) {
    guard case .string(let text) = flagValue, let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw .mismatch(flagValue, expected: "a URL")
    }
    self = url
  }

  /// The URL as text, resolved against its base.
  public var flagValue: FlagValue { .string(absoluteString) }
}

extension FlagError {
  fileprivate static func mismatch(_ value: FlagValue, expected: String) -> FlagError {
    FlagError(.typeMismatch, "expected \(expected), found \(value.typeName) \(value)")
  }
}

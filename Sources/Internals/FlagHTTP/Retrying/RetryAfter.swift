import FlagDomain
import FlagSupport

/// The time that a server asks clients to wait before they retry.
package struct RetryAfter: Hashable, Sendable {
  /// The delay from when the response was received: from zero, if the date has passed, to 68 years.
  package let delay: Duration

  /// Parses the value of the field; nil if it has no known form.
  ///
  /// The forms are a number of seconds and the dates of RFC 9110, 10.2.3, and the date of RFC 3339 that the OpenFeature
  /// Remote Evaluation Protocol shows as its example.
  private init?(_ text: String, now: HTTPDate) {
    let text = String(text.trimmingHTTPSpace)
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      delay = .seconds(min(Int64(text.utf8.decimalNumber ?? .max), Self.most))
    } else if let date = HTTPDate(text, now: now) ?? HTTPDate(internet: text) {
      delay = .seconds(min(max(0, date.secondsSince1970 - now.secondsSince1970), Self.most))
    } else {
      return nil
    }
  }

  /// Parses the field of a response; nil if it has none of a known form.
  ///
  /// A date is relative to the response's own, so that this machine's clock does not matter.
  ///
  /// - Parameters:
  ///   - fields: The fields of the response.
  ///   - now: The time of this machine, for a response without a date.
  package init?(_ fields: HTTPFields, now: HTTPDate) {
    guard let text = fields[.retryAfter] else { return nil }
    self.init(text, now: fields[.date].flatMap { HTTPDate($0, now: now) } ?? now)
  }

  /// The maximum number of seconds; greater ones are clamped to it (RFC 9111, 1.2.2).
  private static let most: Int64 = 1 << 31
}

extension HTTPDate {
  /// Parses a date of RFC 3339, such as 2024-02-07T12:00:00.25+01:00; a fraction of a second is rounded up.
  init?(internet text: String) {
    guard let time = Timestamp(text) else { return nil }
    let hasPart = time.fraction.utf8.contains { $0 != UInt8(ascii: "0") }
    secondsSince1970 = time.secondsSince1970 + (hasPart ? 1 : 0)
  }
}

import FlagDomain

/// How long a server asks to be left alone.
package struct RetryAfter: Hashable, Sendable {
  /// The time to wait, from when the response came: from zero, where the date has passed, to 68 years.
  package let delay: Duration

  /// Reads the value of the field; nil where it is in no form that is known.
  ///
  /// The forms are a number of seconds and the dates of RFC 9110, 10.2.3, and the date of RFC 3339 that the OpenFeature
  /// Remote Evaluation Protocol shows as its example.
  package init?(_ text: String, now: HTTPDate) {
    let text = String(text.trimmingHTTPSpace)
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      delay = .seconds(min(Int64(text.utf8.decimalNumber ?? .max), Self.most))
    } else if let date = HTTPDate(text, now: now) ?? HTTPDate(internet: text) {
      delay = .seconds(min(max(0, date.secondsSince1970 - now.secondsSince1970), Self.most))
    } else {
      return nil
    }
  }

  /// The number of seconds that greater ones become (RFC 9111, 1.2.2).
  private static let most: Int64 = 1 << 31
}

extension HTTPDate {
  /// Reads a date of RFC 3339, as 2024-02-07T12:00:00.25+01:00; a part of a second counts as a whole one.
  init?(internet text: String) {
    guard let time = Timestamp(text) else { return nil }
    let hasPart = time.fraction.utf8.contains { $0 != UInt8(ascii: "0") }
    secondsSince1970 = time.secondsSince1970 + (hasPart ? 1 : 0)
  }
}

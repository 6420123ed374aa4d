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
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int, then separators: String = "") -> Int? {
      guard rest.count >= digits, let number = rest.prefix(digits).decimalNumber else { return nil }
      rest = rest.dropFirst(digits)
      guard !separators.isEmpty else { return number }
      guard let byte = rest.popFirst(), separators.utf8.contains(byte) else { return nil }
      return number
    }
    guard let year = number(4, then: "-"), let month = number(2, then: "-"), let day = number(2, then: "Tt "),
      let hour = number(2, then: ":"), let minute = number(2, then: ":"), let second = number(2),
      let local = HTTPDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    secondsSince1970 = local.secondsSince1970
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
      guard !fraction.isEmpty else { return nil }
      if fraction.contains(where: { $0 != UInt8(ascii: "0") }) { secondsSince1970 += 1 }
      rest = rest[fraction.endIndex...]
    }
    switch rest.popFirst() {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
    case let sign? where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
      guard let hours = number(2, then: ":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
      let offset = Int64(hours * 3600 + minutes * 60)
      secondsSince1970 += sign == UInt8(ascii: "+") ? -offset : offset
    default: return nil
    }
    guard rest.isEmpty else { return nil }
  }
}

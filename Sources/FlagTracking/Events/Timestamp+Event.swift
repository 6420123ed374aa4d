import FlagDomain

/// Moments as events write them: in UTC, with milliseconds.
extension Timestamp {
  /// Creates the moment of an event; one before 1970 or after 9999 becomes the nearest that is not.
  ///
  /// - Parameter milliseconds: The time since the beginning of 1970.
  init(milliseconds: Int64) {
    let (seconds, rest) = min(max(milliseconds, 0), Self.last).quotientAndRemainder(dividingBy: 1000)
    self.init(secondsSince1970: seconds, fraction: rest.zeroPadded(to: 3))
  }

  /// Reads a moment that was written from milliseconds, and returns these.
  ///
  /// - Throws: What was expected, and what was found.
  static func milliseconds(of text: String) throws(FlagError) -> Int64 {
    guard let time = Timestamp(text, isStrict: true), text.last == "Z", time.fraction.utf8.count == 3,
      let rest = Int64(time.fraction)
    else { throw FlagError(.parseError, "expected a time such as 2026-11-22T06:19:25.123Z, found \"\(text)\"") }
    return time.secondsSince1970 * 1000 + rest
  }

  /// The last moment of the year 9999, which is the last one of four digits.
  private static let last: Int64 = 253_402_300_799_999
}

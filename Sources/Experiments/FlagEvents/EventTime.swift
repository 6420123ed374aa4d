import FlagDomain
import FlagSupport

/// A moment, with microsecond precision.
public struct EventTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The microseconds since the beginning of 1970, UTC.
  package let microseconds: Int64

  /// Creates the time that is some microseconds after the beginning of 1970, UTC.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Returns whether the first time is earlier.
  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  /// Creates the time that is some milliseconds after the beginning of 1970, UTC.
  ///
  /// Times before 1970 and after 9999, which RFC 3339 cannot represent, are clamped to that range.
  public init(milliseconds: Int64) { microseconds = min(max(milliseconds, 0), 253_402_300_799_999) * 1000 }

  private static let microsecondsPerSecond: Int64 = 1_000_000

  /// The days since the beginning of 1970, in UTC.
  package var day: Int {
    Int(
      microseconds.flooredQuotientAndRemainder(
        dividingBy: Timestamp.secondsPerDay * Self.microsecondsPerSecond
      ).quotient)
  }

  /// Parses a time of RFC 3339 with a zone, such as `2026-11-22T06:19:25.123Z`; nil for any other text.
  ///
  /// Fractions of a microsecond are truncated, and a leap second is read as the second after it.
  package init?(_ text: String) {
    guard let time = Timestamp(text) else { return nil }
    var fraction: Int64 = 0
    var unit = Self.microsecondsPerSecond
    for digit in time.fraction.utf8.prefix(6) {
      unit /= 10
      fraction += Int64(digit - UInt8(ascii: "0")) * unit
    }
    microseconds = time.secondsSince1970 * Self.microsecondsPerSecond + fraction
  }
}

extension EventTime: CustomStringConvertible {
  /// The time in RFC 3339, in UTC and with milliseconds.
  public var description: String {
    let (seconds, rest) = microseconds.flooredQuotientAndRemainder(dividingBy: Self.microsecondsPerSecond)
    return "\(Timestamp(secondsSince1970: seconds, fraction: (rest / 1000).zeroPadded(to: 3)))"
  }
}

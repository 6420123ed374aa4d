import FlagDomain

/// A moment, to the microsecond.
package struct EventTime: Hashable, Comparable, Sendable {
  /// Microseconds since the beginning of 1970 in UTC.
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}

extension EventTime {
  private static let microsecondsPerSecond: Int64 = 1_000_000

  /// The days since the beginning of 1970, in UTC.
  package var day: Int {
    Int(
      microseconds.flooredQuotientAndRemainder(
        dividingBy: Timestamp.secondsPerDay * Self.microsecondsPerSecond
      ).quotient)
  }

  /// Reads a time of RFC 3339, with a zone, such as `2026-11-22T06:19:25.123Z`; nil for any other text.
  ///
  /// What is smaller than a microsecond is cut off, and a leap second is the second after it.
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
  /// The time as RFC 3339 has it, in UTC and to the millisecond.
  package var description: String {
    let (seconds, rest) = microseconds.flooredQuotientAndRemainder(dividingBy: Self.microsecondsPerSecond)
    return "\(Timestamp(secondsSince1970: seconds, fraction: (rest / 1000).zeroPadded(to: 3)))"
  }
}

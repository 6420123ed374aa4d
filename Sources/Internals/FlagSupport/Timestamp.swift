package import FlagDomain

/// A moment as RFC 3339 writes it, such as `2026-11-22T06:19:25.123Z`.
package struct Timestamp: Hashable, Sendable {
  /// The whole seconds since the beginning of 1970 in UTC, without leap seconds; a fraction is not in them.
  package var secondsSince1970: Int64
  /// The digits of the fraction of a second; empty without one.
  package var fraction: String

  /// Creates a moment from the seconds since the beginning of 1970, and a fraction of the next second.
  package init(secondsSince1970: Int64, fraction: String = "") {
    (self.secondsSince1970, self.fraction) = (secondsSince1970, fraction)
  }

  /// Creates a moment from a date and time in UTC, or returns nil if they are out of range.
  ///
  /// A second of 60 is a leap second, and becomes the second after it.
  package init?(_ day: CalendarDay, hour: Int, minute: Int, second: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second) else { return nil }
    self.init(secondsSince1970: day.daysSince1970 * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second))
  }

  package static let secondsPerDay: Int64 = 86_400

  /// Reads a date and time with a zone; nil for any other text.
  ///
  /// - Parameters:
  ///   - text: The text, whose year has four digits.
  ///   - isStrict: Whether to reject forms that RFC 3339 allows besides ISO 8601: letters in lower case, a space for
  ///     the `T`, and a leap second.
  package init?(_ text: String, isStrict: Bool = false) {
    var rest = DigitReader(text.utf8)
    guard let year = rest.number(of: 4), rest.take("-"), let month = rest.number(of: 2), rest.take("-"),
      let day = rest.number(of: 2), let date = CalendarDay(proleptic: year, month, day),
      rest.take("T") || !isStrict && (rest.take("t") || rest.take(" ")),
      let hour = rest.number(of: 2), rest.take(":"), let minute = rest.number(of: 2), rest.take(":"),
      let second = rest.number(of: 2), !isStrict || second < 60,
      let local = Timestamp(date, hour: hour, minute: minute, second: second),
      let fraction = rest.fraction(), let zone = rest.zone(isStrict: isStrict), rest.isAtEnd
    else { return nil }
    self.init(secondsSince1970: local.secondsSince1970 - zone, fraction: fraction)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment in UTC, with the digits of its fraction.
  package var description: String {
    let (days, time) = secondsSince1970.flooredQuotientAndRemainder(dividingBy: Self.secondsPerDay)
    let clock = [time / 3600, time / 60 % 60, time % 60].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
    return "\(CalendarDay(daysSince1970: days))T\(clock)\(fraction.isEmpty ? "" : ".\(fraction)")Z"
  }
}

/// A reader that consumes numbers and signs from the start of a text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String.UTF8View) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(of count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let byte = rest.first, Self.digits.contains(byte) else { return nil }
      rest.removeFirst()
      number = number * 10 + Int(byte - Self.digits.lowerBound)
    }
    return number
  }

  /// Reads the digits after a point; empty without a point, nil for a point without digits.
  mutating func fraction() -> String? {
    guard take(".") else { return "" }
    let end = rest.firstIndex { !Self.digits.contains($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return end == rest.startIndex ? nil : String(Substring(rest[..<end]))
  }

  /// Reads the number of seconds that a zone is ahead of UTC.
  mutating func zone(isStrict: Bool) -> Int64? {
    if take("Z") || !isStrict && take("z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hours = number(of: 2), hours < 24, take(":"), let minutes = number(of: 2),
      minutes < 60
    else { return nil }
    return (isAhead ? 60 : -60) * (Int64(hours) * 60 + Int64(minutes))
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}

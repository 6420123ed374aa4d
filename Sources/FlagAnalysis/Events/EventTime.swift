/// A moment, to the microsecond.
package struct EventTime: Hashable, Comparable, Sendable {
  /// Microseconds since the beginning of 1970 in UTC.
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}

extension EventTime {
  private static let microsecondsOfDay: Int64 = 86_400_000_000

  /// The days since the beginning of 1970, in UTC.
  package var day: Int {
    Int(microseconds / Self.microsecondsOfDay) - (microseconds % Self.microsecondsOfDay < 0 ? 1 : 0)
  }

  /// Reads a time of RFC 3339, with a zone, such as `2026-11-22T06:19:25.123Z`; nil for any other text.
  ///
  /// What is smaller than a microsecond is cut off, and a leap second is the second after it.
  package init?(_ text: String) {
    var digits = Digits(text.utf8)
    guard let year = digits.number(of: 4), digits.take("-"), let month = digits.number(of: 2), digits.take("-"),
      let day = digits.number(of: 2), let date = CivilDate(year: year, month: month, day: day),
      digits.take("T") || digits.take("t") || digits.take(" "),
      let hour = digits.number(of: 2), hour < 24, digits.take(":"), let minute = digits.number(of: 2), minute < 60,
      digits.take(":"), let second = digits.number(of: 2), second <= 60, let fraction = digits.fraction(),
      let zone = digits.zone(), digits.isAtEnd
    else { return nil }
    let seconds = ((date.daysSince1970 * 24 + hour) * 60 + minute - zone) * 60 + second
    microseconds = Int64(seconds) * 1_000_000 + Int64(fraction)
  }
}

extension EventTime: CustomStringConvertible {
  /// The time as RFC 3339 has it, in UTC and to the millisecond.
  package var description: String {
    let rest = Int(microseconds - Int64(day) * Self.microsecondsOfDay) / 1000
    let (seconds, milliseconds) = (rest / 1000, rest % 1000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(CivilDate(daysSince1970: day))T\(clock).\(milliseconds.padded(to: 3))Z"
  }
}

/// A day of the Gregorian calendar.
package struct CivilDate: CustomStringConvertible {
  let year: Int
  let month: Int
  let day: Int

  init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1...Self.days(of: month, in: year)).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates the day that is so many days after the first one of 1970.
  ///
  /// Years are counted from March on, so that the leap day is a year's last, in eras of 400 years, which are all alike.
  package init(daysSince1970 days: Int) {
    let shifted = days + Self.daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - (Self.daysOfEra - 1)) / Self.daysOfEra
    let dayOfEra = shifted - era * Self.daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

  /// The days from the first one of 1970 on, for a year of at least 0.
  var daysSince1970: Int {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
    let yearOfEra = yearFromMarch - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysBefore1970
  }

  private static let daysOfEra = 146_097
  /// From the first of March of the year 0.
  private static let daysBefore1970 = 719_468

  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

/// Takes numbers and signs off the front of a text.
private struct Digits {
  private var rest: Substring.UTF8View

  init(_ text: String.UTF8View) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digit() -> Int? {
    guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }

  mutating func number(of count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// The microseconds of a fraction; 0 where there is none, nil for a point without digits.
  mutating func fraction() -> Int? {
    guard take(".") else { return 0 }
    guard var fraction = digit() else { return nil }
    var count = 1
    while let digit = digit() {
      if count < 6 { fraction = fraction * 10 + digit }
      count += 1
    }
    for _ in min(count, 6)..<6 { fraction *= 10 }
    return fraction
  }

  /// The minutes that a zone is ahead of UTC.
  mutating func zone() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hours = number(of: 2), hours < 24, take(":"), let minutes = number(of: 2),
      minutes < 60
    else { return nil }
    return (isAhead ? 1 : -1) * (hours * 60 + minutes)
  }
}

extension Int {
  /// The number with zeros before it, up to so many digits.
  func padded(to count: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}

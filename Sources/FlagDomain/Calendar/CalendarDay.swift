/// A day of the Gregorian calendar, without a time or time zone.
public struct CalendarDay: Hashable, Sendable {
  /// The year, 1 to 9999.
  package let year: Int
  /// The month, 1 to 12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// Creates a day, or returns nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year) else { return nil }
    self.init(proleptic: year, month, day)
  }
}

extension CalendarDay: CustomStringConvertible {
  /// Creates a day from its ISO 8601 form, such as `2027-01-31`, or returns nil.
  ///
  /// A literal in code needs no label, and must be a day: `CalendarDay("2027-01-31")`.
  public init?(validating text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map({ $0.count }) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }) else {
      return nil
    }
    let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 48) } }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The day in ISO 8601 form.
  public var description: String {
    "\(year.zeroPadded(to: 4))-\(month.zeroPadded(to: 2))-\(day.zeroPadded(to: 2))"
  }
}

extension CalendarDay: ExpressibleByStringLiteral {
  /// Creates a day from a literal in code, which must be a day in ISO 8601 form.
  public init(stringLiteral text: String) {
    guard let day = CalendarDay(validating: text) else {
      preconditionFailure("\"\(text)\" is not a day such as \"2027-01-31\"")
    }
    self = day
  }
}

extension CalendarDay: Comparable {
  /// Returns whether the first day is earlier.
  public static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

// The arithmetic is that of H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013 (`days_from_civil` and
// `civil_from_days`): years begin in March, so that the leap day is their last, and repeat every 400.
extension CalendarDay {
  /// Creates a day of a year that ``init(year:month:day:)`` may refuse, or returns nil if its month has no such day.
  ///
  /// - Parameters:
  ///   - year: The year, of at most six digits; 0 is the one before the year 1, and earlier ones are negative.
  ///   - month: The month.
  ///   - day: The day of the month.
  package init?(proleptic year: Int, _ month: Int, _ day: Int) {
    guard (-999_999...999_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    guard CalendarDay(daysSince1970: daysSince1970) == self else { return nil }
  }

  /// Creates a day by the days since 1970-01-01, which are negative before it.
  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + Self.daysBefore1970).flooredQuotientAndRemainder(dividingBy: Self.daysPerEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = Int(clamping: yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
  }

  /// The days since 1970-01-01; negative for an earlier day.
  package var daysSince1970: Int64 {
    let marchYear = Int64(month <= 2 ? year - 1 : year)
    let (era, yearOfEra) = marchYear.flooredQuotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
    return era * Self.daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysBefore1970
  }

  /// The days of 400 years.
  private static let daysPerEra: Int64 = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468
}

extension FixedWidthInteger {
  /// Returns the quotient, rounded down even if it is negative, and a remainder with the sign of the divisor.
  package func flooredQuotientAndRemainder(dividingBy divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension BinaryInteger {
  /// Returns the number in decimal digits, with zeros before them up to a width.
  package func zeroPadded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}

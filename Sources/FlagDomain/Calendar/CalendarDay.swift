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

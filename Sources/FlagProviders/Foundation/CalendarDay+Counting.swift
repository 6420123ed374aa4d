import FlagDomain

// Both ways count in eras of 400 years from 0000-03-01, so that a leap day is the last of its year.
extension CalendarDay {
  /// Days from 2001-01-01 to this day.
  var daysSinceReference: Int64 {
    let (year, month) = month > 2 ? (self.year, self.month - 3) : (self.year - 1, self.month + 9)
    let dayOfYear = (153 * month + 2) / 5 + day - 1
    return Int64(year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear) - Self.reference
  }

  /// Creates the day that many days after 2001-01-01, or before where negative; nil outside the calendar.
  init?(daysSinceReference days: Int64) {
    let (era, dayOfEra) = (days + Self.reference).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.init(
      year: Int(clamping: era * 400 + yearOfEra + (month < 10 ? 0 : 1)), month: Int(month < 10 ? month + 3 : month - 9),
      day: Int(dayOfYear - (153 * month + 2) / 5 + 1))
  }

  /// Days from 0000-03-01 to 2001-01-01.
  private static let reference: Int64 = 730_791
}

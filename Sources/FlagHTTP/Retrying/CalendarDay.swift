/// A day of the Gregorian calendar, also before there was one.
struct CalendarDay: Hashable {
  let year: Int
  let month: Int
  let day: Int
}

/// The arithmetic is that of H. Hinnant, chrono-Compatible Low-Level Date Algorithms, 2013 (`days_from_civil` and
/// `civil_from_days`): years begin in March, so that the leap day is their last, and repeat every 400.
extension CalendarDay {
  /// Creates a day; nil where the month has no such day, or the year has more than six digits.
  init?(_ year: Int, _ month: Int, _ day: Int) {
    guard (0...999_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
    guard CalendarDay(daysSince1970: daysSince1970) == self else { return nil }
  }

  /// Creates the day that is so many days after the first of 1970.
  init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = Int(clamping: yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
  }

  /// How many days after the first of 1970 the day is.
  var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.floorDivided(by: 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(days) - 719_468
  }
}

extension FixedWidthInteger {
  /// The quotient, rounded down also where the number is negative.
  func floorDivided(by divisor: Self) -> Self { (self - floorRemainder(by: divisor)) / divisor }

  /// What the quotient that is rounded down leaves, which has the divisor's sign.
  func floorRemainder(by divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

import FlagDomain
import FlagSupport

/// A time in whole seconds, as HTTP messages carry it.
package struct HTTPDate: Hashable, Comparable, Sendable {
  /// The seconds since the beginning of 1970 in UTC, without leap seconds.
  package var secondsSince1970: Int64

  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  package static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.secondsSince1970 < other.secondsSince1970 }

  /// Parses a date in one of the three forms of RFC 9110, 5.6.7; nil if the text is not one, or there is no such day.
  ///
  /// The oldest form has a year of two digits: it is the latest such year that is not more than 50 years after now.
  package init?(_ text: String, now: HTTPDate) {
    let words = text.split(separator: " ").map(String.init)
    // The name of the day is skipped, so its comma and length distinguish the forms.
    switch words.count {
    case 6 where words[0].utf8.count == 4 && words[0].hasSuffix(",") && words[5] == "GMT":
      self.init(day: words[1], month: words[2], year: words[3].utf8.count == 4 ? words[3] : "", time: words[4])
    case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
      let date = words[1].split(separator: "-").map(String.init)
      guard date.count == 3, date[2].utf8.count == 2, let digits = date[2].utf8.decimalNumber else { return nil }
      let latest = now.day.year + 50
      let year = latest - (latest - digits).flooredQuotientAndRemainder(dividingBy: 100).remainder
      self.init(day: date[0], month: date[1], year: String(year), time: words[2])
    case 5 where words[0].utf8.count == 3:
      self.init(day: words[2], month: words[1], year: words[4].utf8.count == 4 ? words[4] : "", time: words[3])
    default: return nil
    }
  }

  private init?(day: String, month: String, year: String, time: String) {
    let time = time.split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, time.allSatisfy({ $0.utf8.count == 2 }), (1...2).contains(day.utf8.count),
      let month = Self.months.firstIndex(of: month), let day = day.utf8.decimalNumber,
      let year = year.utf8.decimalNumber, let hour = time[0].utf8.decimalNumber,
      let minute = time[1].utf8.decimalNumber, let second = time[2].utf8.decimalNumber
    else { return nil }
    guard let date = CalendarDay(proleptic: year, month + 1, day),
      let time = Timestamp(date, hour: hour, minute: minute, second: second)
    else { return nil }
    secondsSince1970 = time.secondsSince1970
  }

  private var day: CalendarDay { CalendarDay(daysSince1970: daysAndSeconds.quotient) }

  /// The days since the beginning of 1970, and the seconds of the day.
  private var daysAndSeconds: (quotient: Int64, remainder: Int64) {
    secondsSince1970.flooredQuotientAndRemainder(dividingBy: Timestamp.secondsPerDay)
  }

  fileprivate static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension HTTPDate: CustomStringConvertible {
  /// The date in the form that messages must use; the years 0 to 9999 have one.
  package var description: String {
    let (days, seconds) = daysAndSeconds
    let day = day
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let weekday = weekdays[Int(days.flooredQuotientAndRemainder(dividingBy: 7).remainder)]
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.zeroPadded(to: 2) }.joined(separator: ":")
    return
      "\(weekday), \(day.day.zeroPadded(to: 2)) \(Self.months[day.month - 1]) \(day.year.zeroPadded(to: 4)) \(time) GMT"
  }
}

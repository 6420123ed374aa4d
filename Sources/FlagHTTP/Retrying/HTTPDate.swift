/// A moment in whole seconds, as messages write it.
package struct HTTPDate: Hashable, Comparable, Sendable {
  /// The seconds since the beginning of 1970 in UTC, without leap seconds.
  package var secondsSince1970: Int64

  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  package static func < (one: HTTPDate, other: HTTPDate) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}

extension HTTPDate {
  /// Reads a date in one of the three forms of RFC 9110, 5.6.7; nil where it is none, or there is no such day.
  ///
  /// The year of the oldest form has two digits: it is the latest that is not more than 50 years after now.
  package init?(_ text: String, now: HTTPDate) {
    let words = text.split(separator: " ").map(String.init)
    // The name of the day is read past, so its comma and length tell the forms apart.
    switch words.count {
    case 6 where words[0].utf8.count == 4 && words[0].hasSuffix(",") && words[5] == "GMT":
      self.init(day: words[1], month: words[2], year: words[3].utf8.count == 4 ? words[3] : "", time: words[4])
    case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
      let date = words[1].split(separator: "-").map(String.init)
      guard date.count == 3, date[2].utf8.count == 2, let digits = date[2].utf8.decimalNumber else { return nil }
      let latest = CalendarDay(daysSince1970: now.secondsSince1970.floorDivided(by: 86400)).year + 50
      let year = latest - (latest - digits).floorRemainder(by: 100)
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
    self.init(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
  }

  /// Creates a date from numbers of UTC; nil where there is no such moment.
  ///
  /// A leap second is the one after it.
  init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard let date = CalendarDay(year, month, day), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    secondsSince1970 = date.daysSince1970 * 86400 + Int64(hour * 3600 + minute * 60 + second)
  }

  fileprivate static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension HTTPDate: CustomStringConvertible {
  /// The date in the form that messages are to be written in; the years 0 to 9999 have one.
  package var description: String {
    let days = secondsSince1970.floorDivided(by: 86400)
    let seconds = secondsSince1970.floorRemainder(by: 86400)
    let day = CalendarDay(daysSince1970: days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(days.floorRemainder(by: 7))]
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return
      "\(weekday), \(day.day.padded(to: 2)) \(Self.months[day.month - 1]) \(day.year.padded(to: 4)) \(time) GMT"
  }
}

extension BinaryInteger {
  fileprivate func padded(to digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

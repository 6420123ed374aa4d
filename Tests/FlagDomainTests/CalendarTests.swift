@testable import FlagDomain
import Testing

@Suite("Calendar day")
struct CalendarDayTests {
  @Test(
    "A day reads from its ISO 8601 form, and nothing else does",
    arguments: [
      ("2027-01-31", "2027-01-31"), ("2028-02-29", "2028-02-29"), ("2027-02-29", nil), ("2000-02-29", "2000-02-29"),
      ("1900-02-29", nil), ("2027-13-01", nil), ("2027-00-01", nil), ("2027-1-1", nil), ("20270101", nil), ("", nil),
      ("2027-01-31 ", nil), ("0000-01-01", nil), ("+027-01-01", nil), ("0999-12-01", "0999-12-01"),
    ] as [(String, String?)])
  func reads(text: String, expected: String?) {
    #expect(CalendarDay(validating: text)?.description == expected)
  }

  @Test("Days are in the order of time")
  func orders() {
    #expect(("2027-01-31" as CalendarDay) < "2027-02-01")
    #expect(("2026-12-31" as CalendarDay) < "2027-01-01")
  }

  @Test(
    "Days are counted from the beginning of 1970, before it and in years that have no name, too",
    arguments: [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("0001-01-01", -719_162),
      ("0000-12-31", -719_163), ("0000-03-01", -719_468), ("-0001-12-31", -719_529), ("9999-12-31", 2_932_896),
      ("10000-01-01", 2_932_897),
    ] as [(String, Int64)])
  func counts(text: String, days: Int64) {
    let day = CalendarDay(daysSince1970: days)
    #expect(day.description == text)
    #expect(day.daysSince1970 == days)
    #expect(CalendarDay(proleptic: day.year, day.month, day.day) == day)
  }

  @Test(
    "A year of more than six digits is invalid, so that no sum of days overflows",
    arguments: [Int.max, .min, 1_000_000])
  func refusesYear(year: Int) { #expect(CalendarDay(proleptic: year, 1, 1) == nil) }

  @Test("In 800 years each day is the one after the day before it, and no month has another day")
  func followsOn() throws {
    var before = try #require(CalendarDay(proleptic: 1599, 12, 31))
    for number in before.daysSince1970 + 1...before.daysSince1970 + 2 * 146_097 {
      let day = CalendarDay(daysSince1970: number)
      let isNext = day.year == before.year && day.month == before.month && day.day == before.day + 1
      let isNextMonth = day.year == before.year && day.month == before.month + 1 && day.day == 1
      let isNextYear = day.year == before.year + 1 && before.month == 12 && day.month == 1 && day.day == 1
      guard isNext || isNextMonth || isNextYear,
        isNext == (CalendarDay(proleptic: before.year, before.month, before.day + 1) != nil)
      else {
        Issue.record("\(day) after \(before)")
        return
      }
      before = day
    }
  }
}

import FlagHTTP
import TestSupport
import Testing

@Suite("Retrying")
struct RetryTests {
  /// The moment that RFC 9110 writes in each of its forms.
  private let example = HTTPDate(secondsSince1970: 784_111_777)
  private let now = HTTPDate(secondsSince1970: 1_707_307_200 - 90)

  @Test(
    "A date is read in each form",
    arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func readsDates(text: String) { #expect(HTTPDate(text, now: now) == example) }

  @Test("A year of two digits is the latest that is at most 50 years ahead", arguments: [("74", 2074), ("75", 1975)])
  func completesYears(digits: String, year: Int) throws {
    let date = try #require(HTTPDate("Sunday, 01-Jan-\(digits) 00:00:00 GMT", now: now))
    #expect(date.description.contains(" \(year) "))
  }

  @Test(
    "What is no date is none",
    arguments: [
      "", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sun Nov 6 08:49 1994",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 29 Feb 1900 00:00:00 GMT",
    ])
  func refusesDates(text: String) { #expect(HTTPDate(text, now: now) == nil) }

  @Test(
    "A date is written in the one form that is to be written",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
  func writesDates(seconds: Int64, text: String) {
    #expect(HTTPDate(secondsSince1970: seconds).description == text)
    #expect(HTTPDate(text, now: now)?.secondsSince1970 == seconds)
  }

  @Test("Days of 800 years are read back as they were written")
  func roundTrips() {
    // Every eleventh falls on each day of the week and of the year, too.
    for day in stride(from: Int64(-135_000), to: 157_000, by: Effort.isThorough ? 1 : 11) {
      let date = HTTPDate(secondsSince1970: day * 86400 + 4242)
      guard HTTPDate(date.description, now: now) == date else {
        Issue.record("\(day): \(date)")
        return
      }
    }
  }

  @Test(
    "A server says how long to wait in seconds, as a date of HTTP, or as one of RFC 3339",
    arguments: [
      ("0", 0), ("120", 120), (" 7 ", 7), ("99999999999999999999", 1 << 31), ("Wed, 07 Feb 2024 12:00:00 GMT", 90),
      ("2024-02-07T12:00:00Z", 90), ("2024-02-07t12:00:00.000z", 90), ("2024-02-07T12:00:00.25Z", 91),
      ("2024-02-07T13:00:00+01:00", 90), ("2024-02-07T06:30:00-05:30", 90), ("2024-02-07 12:00:00Z", 90),
      ("2020-02-07T12:00:00Z", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("9999-12-31T23:59:60Z", 1 << 31),
    ])
  func readsRetryAfter(text: String, seconds: Int) {
    #expect(RetryAfter([.retryAfter: text], now: now)?.delay == .seconds(seconds))
  }

  @Test(
    "What says no time says none",
    arguments: [
      "", "-1", "1.5", "soon", "2024-02-07", "2024-02-07T12:00:00", "2024-02-30T12:00:00Z", "2024-02-07T12:00:00.Z",
      "2024-02-07T12:00:00+1:00", "2024-02-07T12:00:00Zx", "2024-02-07T12:60:00Z",
    ])
  func refusesRetryAfter(text: String) { #expect(RetryAfter([.retryAfter: text], now: now) == nil) }
}

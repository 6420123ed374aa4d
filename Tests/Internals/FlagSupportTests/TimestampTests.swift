import FlagSupport
import Testing

@Suite("Timestamps")
struct TimestampTests {
  @Test(
    "A time of RFC 3339 is read and written in UTC, its fraction digit by digit",
    arguments: [
      ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"), ("2026-11-22T06:19:25.1230Z", "2026-11-22T06:19:25.1230Z"),
      ("2026-11-22T06:19:25.123456789+05:30", "2026-11-22T00:49:25.123456789Z"),
      ("2027-01-01T00:00:00-00:01", "2027-01-01T00:01:00Z"), ("0000-01-01T00:30:00+01:00", "-0001-12-31T23:30:00Z"),
    ])
  func reads(text: String, written: String) throws {
    let time = try #require(Timestamp(text))
    #expect(time.description == written)
    #expect(Timestamp(text, isStrict: true) == time)
  }

  @Test(
    "A strict reader refuses what RFC 3339 allows besides ISO 8601, another one takes it",
    arguments: [
      ("2024-02-29t23:59:59Z", 1_709_251_199), ("2024-02-29T23:59:59z", 1_709_251_199),
      ("2024-02-29 23:59:59Z", 1_709_251_199), ("2024-02-29T23:59:60Z", 1_709_251_200),
    ] as [(String, Int64)])
  func distinguishes(text: String, seconds: Int64) {
    #expect(Timestamp(text, isStrict: true) == nil)
    #expect(Timestamp(text)?.secondsSince1970 == seconds)
  }

  @Test(
    "Any other text is no time",
    arguments: [
      "", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T06:60:00Z",
      "2026-11-22T06:19:61Z", "2026-11-22T06:19:25", "2026-11-22T06:19:25.Z", "2026-11-22T06:19:25Z ",
      "2026-11-22T06:19:25+5:30", "2026-11-22T06:19:25+24:00", "２026-11-22T06:19:25Z", "2026-11-22", "20261122T061925Z",
    ])
  func refuses(text: String) { #expect(Timestamp(text) == nil) }
}

import FlagDomain
import FlagProviders
import Foundation
import TestSupport
import Testing

@Suite("Foundation values")
struct FoundationValuesTests {
  @Test(
    "A date is written in ISO 8601",
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (822_306_600.1, "2027-01-22T10:30:00.1Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
      (99_532_800, "2004-02-27T00:00:00Z"), (99_705_600, "2004-02-29T00:00:00Z"),
      (-63_114_076_800, "0000-12-30T00:00:00Z"), (-63_145_526_400, "0000-01-01T00:00:00Z"),
    ])
  func writesDates(seconds: Double, text: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(try date.flagValue == .string(text))
    #expect(try Date(flagValue: .string(text)) == date)
  }

  @Test("Every date of a thousand comes back as it was, to the last bit")
  func roundTripsDates() throws {
    for number in 0..<1000 {
      let scale = [2, 1e3, 1e6, 1e9, 6e10][number % 5]
      let seconds = Double.random(in: 1...scale) * (number % 2 == 0 ? 1 : -1)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(try Date(flagValue: date.flagValue) == date, "\(seconds)")
    }
  }

  @Test(
    "Next to 2001-01-01 a date comes back as it was, too",
    arguments: [
      1e-7, -1e-7, 0.123456789012345678, -1e-20, 0.3 + 0.6, -(0.3 + 0.6), .leastNonzeroMagnitude,
      -Double.leastNonzeroMagnitude, 1e-5, 1.5e-5, -1,
    ])
  func roundTripsSmallDates(seconds: Double) throws {
    let date = try Date(flagValue: Date(timeIntervalSinceReferenceDate: seconds).flagValue)
    #expect(date.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
  }

  @Test("Every date of a hundred thousand, of every magnitude, comes back as it was, to the last bit")
  func roundTripsAnyDates() throws {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<100_000 {
      let magnitude = Double(sign: .plus, exponent: .random(in: -60...34, using: &random), significand: 1)
      let seconds = magnitude * .random(in: 1..<2, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let read = try Date(flagValue: date.flagValue).timeIntervalSinceReferenceDate
      if read.bitPattern != date.timeIntervalSinceReferenceDate.bitPattern {
        Issue.record("\(seconds) \(read)")
        return
      }
    }
  }

  @Test(
    "An offset is taken off",
    arguments: [
      ("2027-01-31T10:30:00+01:00", "2027-01-31T09:30:00Z"), ("2026-12-31T23:00:00.5-02:30", "2027-01-01T01:30:00.5Z"),
    ])
  func readsOffsets(text: String, utc: String) throws {
    #expect(try Date(flagValue: .string(text)).flagValue == .string(utc))
  }

  @Test(
    "What is no date is a mismatch",
    arguments: [
      "", "2027-02-29T00:00:00Z", "2027-01-31", "2027-01-31T09:30:00", "2027-01-31T24:00:00Z", "2027-01-31 09:30:00Z",
      "2027-01-31T09:30:60Z", "２０２７-01-31T09:30:00Z", "2027-01-31T09:30:00.Z", "0000-02-30T00:00:00Z",
    ])
  func refusesDates(text: String) {
    #expect(
      throws: FlagError(.typeMismatch, "expected a date such as 2027-01-31T09:30:00.25Z, found string \"\(text)\"")
    ) {
      try Date(flagValue: .string(text))
    }
  }

  @Test("The dates that Foundation names come back as they were", arguments: [Date.distantPast, .distantFuture])
  func roundTripsNamedDates(date: Date) throws { #expect(try Date(flagValue: date.flagValue) == date) }

  @Test(
    "A decimal number is read from a number and from its digits",
    arguments: [
      (1.5, "1.5"), ("1.5", "1.5"), (3.133, "3.133"), (-20, "-20"), ("1e-7", "0.0000001"), (.double(1e22), "1e22"),
      ("0.10", "0.1"), ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ] as [(FlagValue, String)])
  func readsDecimals(value: FlagValue, text: String) throws {
    let decimal = try value.decode(as: Decimal.self)
    #expect(decimal == Decimal(string: text))
    #expect(try Decimal(flagValue: decimal.flagValue) == decimal)
  }

  @Test(
    "What is no decimal number of 38 digits is a mismatch",
    arguments: [
      "", "1.5x", " 1", "1,5", "0x10", "1e999", true, .null, .double(.infinity),
      .string(String(repeating: "1", count: 39)),
    ] as [FlagValue])
  func refusesDecimals(value: FlagValue) {
    #expect(throws: FlagError.self) { try Decimal(flagValue: value) }
  }

  @Test("A date that no calendar page shows is a mismatch", arguments: [Double.nan, .infinity, 1e300, -1e300])
  func refusesMoments(seconds: Double) {
    #expect(throws: FlagError.self) { try Date(timeIntervalSinceReferenceDate: seconds).flagValue }
  }

  @Test("Data is base64, and nothing else")
  func convertsData() throws {
    #expect(Data([0, 255, 7]).flagValue == "AP8H")
    #expect(try Data(flagValue: "AP8H") == Data([0, 255, 7]))
    #expect(throws: FlagError(.typeMismatch, "expected base64, found string \"AP8\"")) { try Data(flagValue: "AP8") }
  }

  @Test("A URL is decoded from its text, and invalid text is a type mismatch")
  func convertsURLs() throws {
    let url = try URL(flagValue: "https://example.com/a?b=%20#c")
    #expect(url.flagValue == "https://example.com/a?b=%20#c")
    for value: FlagValue in ["", "https://exa mple.com", 3] {
      #expect(throws: FlagError.self) { try URL(flagValue: value) }
    }
  }

  @Test("A flag holds a date, data and a URL inside of a record")
  func decodesInside() throws {
    let value: FlagValue = ["date": "2001-01-01T00:00:01.5Z", "data": "AP8H", "url": "https://example.com"]
    let record = try value.decode(as: Record.self)
    #expect(record.date == Date(timeIntervalSinceReferenceDate: 1.5))
    #expect(try FlagValue(encoding: record) == value)
  }

  private struct Record: Codable {
    var date: Date
    var data: Data
    var url: URL
  }
}

import FlagDomain

/// A date and time in UTC, in the components of ISO 8601.
struct Timestamp {
  /// Days since 2001-01-01, which is where Foundation counts from.
  private let day: Int64
  /// Whole seconds since midnight.
  private let second: Int64
  /// The digits of the fraction of a second.
  private let fraction: String
}

extension Timestamp {
  /// Creates a timestamp; nil outside the years 0 to 9999.
  init?(secondsSinceReference seconds: Double) {
    guard Self.years.contains(seconds) else { return nil }
    let floor = seconds.rounded(.down)
    // Just below a whole number, the difference may round up to 1.
    let whole = seconds - floor < 1 ? floor : floor + 1
    let digits = Self.digits(of: max(0, seconds - whole)) { Self.sum(Int64(whole), $0) == seconds }
    let (day, second) = Int64(whole).quotientAndRemainder(dividingBy: Self.secondsPerDay)
    (self.day, self.second) = second < 0 ? (day - 1, second + Self.secondsPerDay) : (day, second)
    fraction = digits
  }

  /// The seconds since Foundation's reference date.
  var secondsSinceReference: Double { Self.sum(day * Self.secondsPerDay + second, fraction) }

  /// From 0000-01-01 to the end of 9999.
  ///
  /// ISO 8601 has a year 0, which the calendar here has not; Foundation's earliest date by name is in its last days.
  private static let years = -63_145_526_400.0..<252_423_993_600.0
  private static let secondsPerDay: Int64 = 86_400

  /// Returns the seconds of a whole number and the digits of a fraction.
  private static func sum(_ whole: Int64, _ digits: String) -> Double {
    Double(whole) + (Double("0.\(digits)") ?? 0)
  }

  /// Returns the fewest digits of a fraction that suffice, 20 at most.
  private static func digits(of fraction: Double, suffice: (String) -> Bool) -> String {
    var digits = ""
    var rest = fraction
    while !suffice(digits), digits.count < 20 {
      rest *= 10
      let digit = rest.rounded(.down)
      rest -= digit
      // The next digit up may be what the fraction rounds to.
      for candidate in [digit, digit + 1] where candidate < 10 && suffice(digits + String(Int(candidate))) {
        return digits + String(Int(candidate))
      }
      digits += String(Int(digit))
    }
    return digits
  }
}

extension Timestamp {
  /// The timestamp in ISO 8601 form.
  var text: String {
    let date = Self.text(of: day)
    let (hour, minute) = (second / 3600, second / 60 % 60)
    let time = [hour, minute, second % 60].map(Self.twoDigits).joined(separator: ":")
    return "\(date)T\(time)\(fraction.isEmpty ? "" : "." + fraction)Z"
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Reads the ISO 8601 form: date and time to the second at least, and `Z` or an offset such as `+01:00`.
  init?(_ text: String) {
    let pattern =
      /(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))/
    guard let match = text.wholeMatch(of: pattern.asciiOnlyDigits()), let date = Self.day(of: match.1) else {
      return nil
    }
    let offset = Self.seconds(match.7, match.8) * (match.6 == "-" ? -1 : 1)
    let total = Self.seconds(match.2, match.3, match.4) - offset
    let midnight = date * Self.secondsPerDay
    let (day, second) = (midnight + total).quotientAndRemainder(dividingBy: Self.secondsPerDay)
    (self.day, self.second) = second < 0 ? (day - 1, second + Self.secondsPerDay) : (day, second)
    fraction = String(match.5 ?? "")
  }

  private static func seconds(_ hours: Substring?, _ minutes: Substring?, _ seconds: Substring? = nil) -> Int64 {
    [hours, minutes, seconds].reduce(0) { $0 * 60 + ($1.flatMap { Int64($0) } ?? 0) }
  }
}

// The days of the year 0 are those of the year 400, in the calendar's era before.
extension Timestamp {
  private static let (yearZero, yearFourHundred) = ("0000-", "0400-")
  private static let daysPerEra: Int64 = 146_097

  /// Returns a day in ISO 8601 form.
  private static func text(of day: Int64) -> String {
    if let date = CalendarDay(daysSinceReference: day) { return date.description }
    let later = CalendarDay(daysSinceReference: day + daysPerEra).map(\.description) ?? ""
    return yearZero + later.dropFirst(yearFourHundred.count)
  }

  /// Reads a day in ISO 8601 form as days since 2001-01-01.
  private static func day(of text: Substring) -> Int64? {
    guard text.hasPrefix(yearZero) else { return CalendarDay(validating: String(text))?.daysSinceReference }
    return CalendarDay(validating: yearFourHundred + text.dropFirst(yearZero.count)).map {
      $0.daysSinceReference - daysPerEra
    }
  }
}

import FlagDomain

/// A moment in UTC, in the parts that ISO 8601 writes.
struct Timestamp {
  /// Days since 2001-01-01, which is where Foundation counts from.
  private let day: Int
  /// Whole seconds since midnight.
  private let second: Int
  /// The digits of the fraction of a second.
  private let fraction: String
}

extension Timestamp {
  /// Takes a moment apart; nil outside of the years 1 to 9999.
  init?(secondsSinceReference seconds: Double) {
    guard Self.years.contains(seconds) else { return nil }
    let floor = seconds.rounded(.down)
    // Just below a whole number, the difference may round up to 1.
    let whole = seconds - floor < 1 ? floor : floor + 1
    let digits = Self.digits(of: max(0, seconds - whole)) { Self.sum(Int(whole), $0) == seconds }
    let (day, second) = Int(whole).quotientAndRemainder(dividingBy: Self.secondsPerDay)
    (self.day, self.second) = second < 0 ? (day - 1, second + Self.secondsPerDay) : (day, second)
    fraction = digits
  }

  /// The moment as Foundation counts it.
  var secondsSinceReference: Double { Self.sum(day * Self.secondsPerDay + second, fraction) }

  /// From 0001-01-01 to the end of 9999.
  private static let years = -63_113_904_000.0..<252_423_993_600.0
  private static let secondsPerDay = 86_400

  /// Returns the seconds of a whole number and the digits of a fraction.
  private static func sum(_ whole: Int, _ digits: String) -> Double {
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
  /// The moment in ISO 8601 form.
  var text: String {
    let date = CalendarDay(daysSinceReference: day).map(String.init) ?? ""
    let (hour, minute) = (second / 3600, second / 60 % 60)
    let time = [hour, minute, second % 60].map(Self.twoDigits).joined(separator: ":")
    return "\(date)T\(time)\(fraction.isEmpty ? "" : "." + fraction)Z"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Reads the ISO 8601 form of a moment: date and time to the second at least, and `Z` or an offset such as `+01:00`.
  init?(_ text: String) {
    let pattern =
      /(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))/
    guard let match = text.wholeMatch(of: pattern.asciiOnlyDigits()), let date = CalendarDay(String(match.1)) else {
      return nil
    }
    let offset = Self.seconds(match.7, match.8) * (match.6 == "-" ? -1 : 1)
    let total = Self.seconds(match.2, match.3, match.4) - offset
    let midnight = date.daysSinceReference * Self.secondsPerDay
    let (day, second) = (midnight + total).quotientAndRemainder(dividingBy: Self.secondsPerDay)
    (self.day, self.second) = second < 0 ? (day - 1, second + Self.secondsPerDay) : (day, second)
    fraction = String(match.5 ?? "")
  }

  private static func seconds(_ hours: Substring?, _ minutes: Substring?, _ seconds: Substring? = nil) -> Int {
    [hours, minutes, seconds].reduce(0) { $0 * 60 + ($1.flatMap { Int($0) } ?? 0) }
  }
}

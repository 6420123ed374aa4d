import FlagDomain
import FlagSupport

// Foundation counts seconds from the beginning of 2001, as a floating-point number.
extension Timestamp {
  /// Creates a timestamp; nil outside the years 0 to 9999.
  init?(secondsSinceReference seconds: Double) {
    guard Self.years.contains(seconds) else { return nil }
    let floor = seconds.rounded(.down)
    // Just below a whole number, the difference may round up to 1.
    let whole = seconds - floor < 1 ? floor : floor + 1
    let digits = Self.digits(of: max(0, seconds - whole)) { Self.sum(Int64(whole), $0) == seconds }
    self.init(secondsSince1970: Int64(whole) + Self.reference, fraction: digits)
  }

  var secondsSinceReference: Double { Self.sum(secondsSince1970 - Self.reference, fraction) }

  /// The range from 0000-01-01 to the end of 9999.
  ///
  /// ISO 8601 has a year 0, which `CalendarDay` does not have; `Date.distantPast` is in its last days.
  private static let years = -63_145_526_400.0..<252_423_993_600.0
  /// The seconds from 1970-01-01 to 2001-01-01.
  private static let reference: Int64 = 978_307_200

  /// Returns the seconds of a whole number and the digits of a fraction.
  private static func sum(_ whole: Int64, _ digits: String) -> Double {
    Double(whole) + (Double("0.\(digits)") ?? 0)
  }

  /// Returns the shortest sufficient digits of a fraction, 20 at most.
  private static func digits(of fraction: Double, suffice: (String) -> Bool) -> String {
    var digits = ""
    var rest = fraction
    while !suffice(digits), digits.count < 20 {
      rest *= 10
      let digit = rest.rounded(.down)
      rest -= digit
      // The fraction may round up to the next digit.
      for candidate in [digit, digit + 1] where candidate < 10 && suffice(digits + String(Int(candidate))) {
        return digits + String(Int(candidate))
      }
      digits += String(Int(digit))
    }
    return digits
  }
}

import FlagDomain
package import FlagSupport

// Foundation counts seconds from the beginning of 2001, as a floating-point number.
extension Timestamp {
  /// Creates a timestamp with the fewest digits that give the same seconds back; nil outside the years 0 to 9999.
  package init?(secondsSinceReference seconds: Double) {
    guard Self.years.contains(seconds) else { return nil }
    let (whole, digits) = Self.decimalParts(of: seconds.magnitude)
    // A timestamp counts its fraction from the second before it.
    let isBefore = seconds < 0 && !digits.isEmpty
    self.init(
      secondsSince1970: (seconds < 0 ? -whole : whole) - (isBefore ? 1 : 0) + Self.reference,
      fraction: isBefore ? Self.complement(of: digits) : digits)
  }

  var secondsSinceReference: Double {
    let whole = secondsSince1970 - Self.reference
    guard whole < 0, fraction.contains(where: { $0 != "0" }) else {
      return Double("\(whole).\(fraction)0") ?? Double(whole)
    }
    return Double("-\(-(whole + 1)).\(Self.complement(of: fraction))") ?? Double(whole)
  }

  /// The range from 0000-01-01 to the end of 9999.
  ///
  /// ISO 8601 has a year 0, which `CalendarDay` does not have; `Date.distantPast` is in its last days.
  private static let years = -63_145_526_400.0..<252_423_993_600.0
  /// The seconds from 1970-01-01 to 2001-01-01.
  private static let reference: Int64 = 978_307_200

  /// Returns the whole seconds of a number and the digits of its fraction, as its shortest text has them.
  private static func decimalParts(of seconds: Double) -> (whole: Int64, digits: String) {
    // Only small numbers, and none as large as the range of years, have an exponent.
    let parts = seconds.description.split(separator: "e-")
    let numbers = parts[0].split(separator: ".")
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      return (Int64(numbers[0]) ?? 0, numbers[1] == "0" ? "" : String(numbers[1]))
    }
    let fraction = numbers.count == 2 && numbers[1] != "0" ? numbers[1] : ""
    return (0, String(repeating: "0", count: exponent - 1) + numbers[0] + fraction)
  }

  /// Returns the digits of what a fraction leaves of 1; it has other digits than zeros.
  private static func complement(of digits: String) -> String {
    let end = digits.lastIndex { $0 != "0" } ?? digits.endIndex
    return digits.indices.reduce(into: "") { text, index in
      let digit = digits[index].wholeNumberValue ?? 0
      text += index < end ? "\(9 - digit)" : index == end ? "\(10 - digit)" : "0"
    }
  }
}

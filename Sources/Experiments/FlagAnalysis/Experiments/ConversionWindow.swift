/// The time after a user's first exposure in which conversions count.
package struct ConversionWindow: Hashable, Sendable {
  /// The length in seconds, from 1 to a hundred years.
  package let seconds: Int

  /// Creates a window; nil for less than a second, and for more than a hundred years of 365 days.
  package init?(seconds: Int) {
    guard (1...36_500 * 86_400).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  private static let units: [(sign: Character, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

  /// Parses a whole number and its unit, such as `7d`, `36h`, `90m` or `30s`.
  package init(_ text: String) throws(AnalysisError) {
    guard let unit = Self.units.first(where: { $0.sign == text.last }),
      let number = Int(text.dropLast()),
      let window = Self(seconds: number.multipliedReportingOverflow(by: unit.seconds).partialValue),
      window.seconds / unit.seconds == number
    else {
      throw AnalysisError(
        "expected a time such as 7d, 36h, 90m or 30s, of a hundred years at most, found \(text.quoted)")
    }
    self = window
  }

  func isOver(_ microseconds: UInt64) -> Bool { microseconds > UInt64(seconds) * 1_000_000 }
}

extension ConversionWindow: CustomStringConvertible {
  package var description: String {
    let unit = Self.units.first { seconds.isMultiple(of: $0.seconds) } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.sign)"
  }
}

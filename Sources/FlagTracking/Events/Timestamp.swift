import FlagDomain
import Foundation

/// Moments as events write them: RFC 3339 in UTC, with milliseconds.
enum Timestamp {
  /// The last moment of the year 9999, which is the last one of four digits.
  private static let last: Int64 = 253_402_300_799_999

  /// Returns a moment as text, such as 2026-11-22T06:19:25.123Z;
  /// one before 1970 or after 9999 becomes the nearest that is not.
  ///
  /// - Parameter milliseconds: The time since the beginning of 1970.
  /// - Returns: The text.
  static func text(of milliseconds: Int64) -> String {
    let (seconds, rest) = min(max(milliseconds, 0), last).quotientAndRemainder(dividingBy: 1000)
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let digits = String(rest)
    return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  /// Reads a moment that was written by ``text(of:)``.
  static func milliseconds(of text: String) throws(FlagError) -> Int64 {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 4, parts[1].last == "Z",
      let rest = Int64(parts[1].dropLast()), rest >= 0
    else { throw mismatch(text) }
    do {
      let date = try Date("\(parts[0])Z", strategy: .iso8601)
      return Int64(date.timeIntervalSince1970.rounded()) * 1000 + rest
    } catch {
      throw mismatch(text)
    }
  }

  private static func mismatch(_ text: String) -> FlagError {
    FlagError(.parseError, "expected a time such as 2026-11-22T06:19:25.123Z, found \"\(text)\"")
  }
}

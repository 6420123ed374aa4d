import FlagSyntax
import Foundation

extension SourceText {
  /// Checks that the last day of an attribute, if it is a literal, is a valid date.
  func checkDay(of attribute: Attribute) throws(Problem) {
    guard let argument = attribute["expires"], let day = plainString(argument.value), !Self.isDay(day) else { return }
    throw Problem(.invalidDay(day), at: bytes(of: argument.value))
  }

  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) ? UInt16($0) : nil }.map(Int.init)
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3, numbers[0] > 0 else { return false }
    let calendar = Calendar(identifier: .gregorian)
    return DateComponents(calendar: calendar, year: numbers[0], month: numbers[1], day: numbers[2]).isValidDate
  }
}

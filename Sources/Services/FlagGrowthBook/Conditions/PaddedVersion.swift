import FlagDefinitions
import FlagDomain

/// A version as text whose order is the versions' order, for most versions.
///
/// Numeric parts are padded to five characters. A version of three parts is after those that add a pre-release.
final class PaddedVersion: Sendable {
  private let text: String
  private let bytes: [UInt8]

  /// Whether it was made of a number, which is not compared with texts.
  private let isNumber: Bool

  init(_ value: FlagValue) {
    isNumber = value.number != nil
    var version = Substring(value.scalarText ?? "")
    if version.isEmpty { version = "0" }
    if version.utf8.first == UInt8(ascii: "v") { version = version.dropFirst() }
    if let build = version.utf8.firstIndex(of: UInt8(ascii: "+")) { version = version[..<build] }
    var parts = version.utf8.split(omittingEmptySubsequences: false, whereSeparator: Self.isSeparator)
      .map { Self.padded(Substring($0)) }
    if parts.count == Self.plainCount { parts.append("~") }
    text = parts.joined(separator: "-")
    bytes = Array(text.utf8)
  }

  private static func padded(_ part: Substring) -> String {
    String(repeating: " ", count: padding(of: part.utf8.count, isNumber: part.utf8.allSatisfy(isDigit))) + part
  }

  /// The number of parts of a version without a pre-release.
  private static let plainCount = 3
  /// The least number of characters of a numeric part.
  private static let width = 5

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func padding(of count: Int, isNumber: Bool) -> Int {
    isNumber && count > 0 ? max(0, width - count) : 0
  }

  /// Returns a number below, at or above zero if a value is a version before, at or after this one.
  ///
  /// A text has no order to a number, and nothing else has one to either.
  func order(of value: FlagValue) -> Int? {
    switch value {
    case .string where !isNumber, .int where isNumber, .double where isNumber: break
    default: return nil
    }
    if case .string(let text) = value, !text.isEmpty,
      let order = text.withBytesIfContiguous(asciiOrder), let order
    {
      return order
    }
    return PaddedVersion(value).text.order(to: text)
  }

  /// Returns the order of a version, without creating its padded text; nil if a character beyond ASCII decides.
  private func asciiOrder(of version: borrowing BorrowedBytes) -> Int? {
    var comparison = Comparison(bytes: bytes)
    var end = 0
    while end < version.count, version[end] != UInt8(ascii: "+") { end += 1 }
    var part = version.count > 0 && version[0] == UInt8(ascii: "v") ? 1 : 0
    var count = 1
    while comparison.order == 0 {
      var (partEnd, isNumber) = (part, true)
      while partEnd < end, !Self.isSeparator(version[partEnd]) {
        isNumber = isNumber && Self.isDigit(version[partEnd])
        partEnd += 1
      }
      for _ in 0..<Self.padding(of: partEnd - part, isNumber: isNumber) { comparison.add(UInt8(ascii: " ")) }
      while part < partEnd {
        comparison.add(version[part])
        part += 1
      }
      guard partEnd < end else { break }
      comparison.add(UInt8(ascii: "-"))
      (part, count) = (partEnd + 1, count + 1)
    }
    if count == Self.plainCount {
      comparison.add(UInt8(ascii: "-"))
      comparison.add(UInt8(ascii: "~"))
    }
    guard comparison.isASCII else { return nil }
    return comparison.order == 0 && comparison.position < bytes.count ? -1 : comparison.order
  }

  /// A comparison of bytes that come one by one with others.
  private struct Comparison {
    let bytes: [UInt8]
    var position = 0
    var order = 0
    /// Whether what decided is ASCII: other characters may have another order in UTF-16.
    var isASCII = true

    mutating func add(_ byte: UInt8) {
      guard order == 0 else { return }
      order = position < bytes.count ? Int(byte) - Int(bytes[position]) : 1
      isASCII = byte < 0x80 && (position >= bytes.count || bytes[position] < 0x80)
      position += 1
    }
  }
}

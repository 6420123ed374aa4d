import FlagDomain
import FlagJSON

/// A version as Semantic Versioning 2.0 defines it, without build metadata, which comparisons ignore.
package struct SemanticVersion: Sendable {
  private let major: UInt64
  private let minor: UInt64
  private let patch: UInt64
  /// The parts that most versions lack: one reference, so that a version is compared and copied cheaply.
  private let extra: Extra?

  private final class Extra: Sendable {
    /// The digits of the numbers that may take more than 64 bits.
    let (major, minor, patch): (String, String, String)
    /// The pre-release with its dots; empty for a release.
    let preRelease: String

    init(_ digits: (String, String, String), _ preRelease: String) {
      ((major, minor, patch), self.preRelease) = (digits, preRelease)
    }
  }

  /// Parses a version, or returns nil; `1` and `1.2` are completed with zeros.
  ///
  /// One leading v is dropped, and what follows the numbers only counts after three of them. A lenient reading takes it
  /// after fewer, and no v: as LaunchDarkly's rules read versions.
  package init?(_ text: String, isLenient: Bool = false) {
    guard let version = text.withBytes({ Self($0, isLenient: isLenient) }) else { return nil }
    self = version
  }

  private init?(_ bytes: borrowing BorrowedBytes, isLenient: Bool) {
    var reader = VersionReader()
    if !isLenient, !reader.skip("v", in: bytes) { _ = reader.skip("V", in: bytes) }
    guard let major = reader.number(in: bytes), let minor = reader.nextNumber(in: bytes),
      let patch = reader.nextNumber(in: bytes)
    else { return nil }
    var preRelease = ""
    if isLenient || reader.points == 2 {
      guard let parts = reader.parts(after: "-", in: bytes, allowsLeadingZeros: false),
        reader.parts(after: "+", in: bytes, allowsLeadingZeros: true) != nil
      else { return nil }
      preRelease = parts
    }
    guard reader.place == bytes.count else { return nil }
    (self.major, self.minor, self.patch) = (major.value, minor.value, patch.value)
    let hasMore = !preRelease.isEmpty || major.value == .max || minor.value == .max || patch.value == .max
    extra =
      hasMore ? Extra((major.digits(in: bytes), minor.digits(in: bytes), patch.digits(in: bytes)), preRelease) : nil
  }

  /// Returns a number below, at or above zero if the version comes before another, equals it or comes after it.
  package func order(to other: Self) -> Int {
    let major = majorOrder(to: other)
    if major != 0 { return major }
    let minor = minorOrder(to: other)
    if minor != 0 { return minor }
    let patch = Self.order(patch, other.patch, extra?.patch, other.extra?.patch)
    return patch != 0 ? patch : preReleaseOrder(to: other)
  }

  private func majorOrder(to other: Self) -> Int { Self.order(major, other.major, extra?.major, other.extra?.major) }

  private func minorOrder(to other: Self) -> Int { Self.order(minor, other.minor, extra?.minor, other.extra?.minor) }

  /// Compares numbers, whose digits count where both are the largest one.
  private static func order(
    _ left: UInt64, _ right: UInt64, _ leftDigits: @autoclosure () -> String?, _ rightDigits: @autoclosure () -> String?
  ) -> Int {
    if left != right { return left < right ? -1 : 1 }
    guard left == .max, let leftDigits = leftDigits(), let rightDigits = rightDigits() else { return 0 }
    return leftDigits.utf8[...].order(asNumber: rightDigits.utf8[...])
  }

  fileprivate func sharesMajor(with other: Self) -> Bool { majorOrder(to: other) == 0 }

  fileprivate func sharesMinor(with other: Self) -> Bool {
    sharesMajor(with: other) && minorOrder(to: other) == 0
  }

  /// Compares pre-releases part by part; a release comes after its pre-releases.
  private func preReleaseOrder(to other: Self) -> Int {
    if extra == nil, other.extra == nil { return 0 }
    var (mine, others) = ((extra?.preRelease ?? "").utf8[...], (other.extra?.preRelease ?? "").utf8[...])
    if mine.isEmpty || others.isEmpty { return (mine.isEmpty ? 1 : 0) - (others.isEmpty ? 1 : 0) }
    while !mine.isEmpty, !others.isEmpty {
      let order = mine.popPart().order(to: others.popPart())
      if order != 0 { return order }
    }
    return (mine.isEmpty ? 0 : 1) - (others.isEmpty ? 0 : 1)
  }
}

package enum VersionRelation: String, CaseIterable, Sendable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case sameMajor = "^"
  case sameMinor = "~"

  func holds(_ left: SemanticVersion, _ right: SemanticVersion) -> Bool {
    switch self {
    case .equal: left.order(to: right) == 0
    case .notEqual: left.order(to: right) != 0
    case .less: left.order(to: right) < 0
    case .lessOrEqual: left.order(to: right) <= 0
    case .greater: left.order(to: right) > 0
    case .greaterOrEqual: left.order(to: right) >= 0
    case .sameMajor: left.sharesMajor(with: right)
    case .sameMinor: left.sharesMinor(with: right)
    }
  }
}

/// A number of a version, which may have any length.
private struct VersionNumber {
  /// The place of the digits; empty for an omitted number.
  let range: Range<Int>
  let value: UInt64

  init(_ range: Range<Int>, in bytes: borrowing BorrowedBytes) {
    self.range = range
    var value: UInt64 = 0
    if range.count < 20 {
      for place in range { value = value * 10 + UInt64(bytes[place] & 0xf) }
    }
    self.value = range.count < 20 ? value : .max
  }

  /// Returns the digits of a number that may take more than 64 bits, for which the value is the largest one; else none.
  func digits(in bytes: borrowing BorrowedBytes) -> String { value == .max ? bytes.text(in: range) : "" }
}

/// A reader that consumes the parts of a version from the start of its bytes, which are passed to each method.
private struct VersionReader {
  private(set) var place = 0
  /// The number of points between numbers.
  private(set) var points = 0

  /// Reads a number without leading zeros.
  mutating func number(in bytes: borrowing BorrowedBytes) -> VersionNumber? {
    let start = place
    while place < bytes.count, bytes[place].isDigit { place += 1 }
    guard start < place, bytes[start] != UInt8(ascii: "0") || place - start == 1 else { return nil }
    return VersionNumber(start..<place, in: bytes)
  }

  /// Reads a point and a number; without a point, the number is zero.
  mutating func nextNumber(in bytes: borrowing BorrowedBytes) -> VersionNumber? {
    guard skip(".", in: bytes) else { return VersionNumber(place..<place, in: bytes) }
    points += 1
    return number(in: bytes)
  }

  mutating func skip(_ character: Unicode.Scalar, in bytes: borrowing BorrowedBytes) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Reads a mark, and parts joined by dots, each of letters, digits and hyphens.
  ///
  /// Without the mark, it returns an empty text; nil if a part is empty, or a number with a zero before it.
  mutating func parts(
    after mark: Unicode.Scalar, in bytes: borrowing BorrowedBytes, allowsLeadingZeros: Bool
  ) -> String? {
    guard skip(mark, in: bytes) else { return "" }
    let start = place
    repeat {
      let part = place
      var isNumber = true
      while place < bytes.count, case let byte = bytes[place],
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-")
      {
        isNumber = isNumber && byte.isDigit
        place += 1
      }
      guard part < place else { return nil }
      let hasLeadingZero = isNumber && place - part > 1 && bytes[part] == UInt8(ascii: "0")
      if hasLeadingZero, !allowsLeadingZeros { return nil }
    } while skip(".", in: bytes)
    return bytes.text(in: start..<place)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension Substring.UTF8View {
  /// Compares parts of pre-releases: numbers come before words, and words are compared by character.
  fileprivate func order(to other: Self) -> Int {
    switch (allSatisfy(\.isDigit), other.allSatisfy(\.isDigit)) {
    case (true, true): order(asNumber: other)
    case (true, false): -1
    case (false, true): 1
    case (false, false): elementsEqual(other) ? 0 : lexicographicallyPrecedes(other) ? -1 : 1
    }
  }

  /// Compares numbers: the longer one is greater, because none has leading zeros.
  fileprivate func order(asNumber other: Self) -> Int {
    if count != other.count { return count - other.count }
    return elementsEqual(other) ? 0 : lexicographicallyPrecedes(other) ? -1 : 1
  }

  fileprivate mutating func popPart() -> Self {
    let part = prefix { $0 != UInt8(ascii: ".") }
    self = self[part.endIndex...].dropFirst()
    return part
  }
}

import FlagJSON

/// The ranges of a version's parts in its text, as defined by Semantic Versioning 2.0.
///
/// Build metadata is left out, because comparisons ignore it. Numbers are ranges of digits, so they may have any
/// length.
package struct SemanticVersion: Sendable {
  /// The digits of the three numbers; empty for zero, and for a number that is not in the text.
  private(set) var major = 0..<0
  private(set) var minor = 0..<0
  private(set) var patch = 0..<0
  /// The pre-release with its dots; empty for a release.
  private(set) var preRelease = 0..<0

  /// Parses a version, or returns nil; `1` and `1.2` are completed with zeros.
  ///
  /// One leading v is dropped, and what follows the numbers only counts after three of them; a lenient reading takes it
  /// after fewer, and no v.
  init?(_ text: UnsafeBufferPointer<UInt8>, isLenient: Bool = false) {
    var reader = VersionReader(text, isLenient: isLenient)
    if !isLenient { reader.skipV() }
    guard let major = reader.number(), let minor = reader.nextNumber(), let patch = reader.nextNumber(),
      let preRelease = reader.preRelease(), reader.skipBuild(), reader.isAtEnd
    else {
      return nil
    }
    (self.major, self.minor, self.patch, self.preRelease) = (major, minor, patch, preRelease)
  }

  package init?(_ text: String) {
    var text = text
    // The buffer is used only while the closure runs.
    guard let version = text.withUTF8({ Self($0) }) else { return nil }
    self = version
  }

  /// Packs the numbers of a release into one, 20 bits each, so that most versions are compared in one step.
  ///
  /// Returns nil for a text with a pre-release, build metadata, a v, or a number of more than six digits.
  static func packed(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var packed: UInt64 = 0
    var (number, digits, dots) = (UInt64(0), 0, 0)
    for byte in text {
      if byte.isDigit {
        guard digits < 6, digits == 0 || number != 0 else { return nil }
        number = number * 10 + UInt64(byte & 0xf)
        digits += 1
      } else {
        guard byte == UInt8(ascii: "."), digits > 0, dots < 2 else { return nil }
        packed = packed << 20 | number
        (number, digits, dots) = (0, 0, dots + 1)
      }
    }
    return digits > 0 && dots == 2 ? packed << 20 | number : nil
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

  func holds(_ left: VersionText, _ right: VersionText) -> Bool {
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

  func holds(packed left: UInt64, _ right: UInt64) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .sameMajor: left >> 40 == right >> 40
    case .sameMinor: left >> 20 == right >> 20
    }
  }
}

/// A version that others are compared with, read leniently: as LaunchDarkly's rules read versions.
package struct KnownVersion: Sendable {
  private let text: String
  private let version: SemanticVersion
  /// The version in one number, for most of them.
  private let packed: UInt64?

  /// Reads a version, or returns nil.
  package init?(_ text: String) {
    var text = text
    // The buffer is used only while the closure runs.
    guard let version = text.withUTF8({ SemanticVersion($0, isLenient: true) }) else { return nil }
    packed = text.withUTF8 { SemanticVersion.packed($0) }
    (self.text, self.version) = (text, version)
  }

  /// Returns a number below, at or above zero if a version is before, equal to or after this one; nil if it is none.
  package func order(of other: String) -> Int? {
    var (text, other) = (text, other)
    // The buffers are used only while the closures run.
    return other.withUTF8 { other -> Int? in
      if let packed, let other = SemanticVersion.packed(other) { return other < packed ? -1 : other > packed ? 1 : 0 }
      guard let version = SemanticVersion(other, isLenient: true) else { return nil }
      return text.withUTF8 { text in
        VersionText(version: version, text: other).order(to: VersionText(version: self.version, text: text))
      }
    }
  }
}

/// A version, and the buffer with its text, which is valid only during the comparison.
struct VersionText {
  let version: SemanticVersion
  let text: UnsafeBufferPointer<UInt8>

  /// Returns a negative number, zero or a positive number if this version comes before, equals or comes after the
  /// other.
  func order(to other: Self) -> Int {
    let major = order(\.major, other)
    if major != 0 { return major }
    let minor = order(\.minor, other)
    if minor != 0 { return minor }
    let patch = order(\.patch, other)
    return patch != 0 ? patch : preReleaseOrder(to: other)
  }

  func sharesMajor(with other: Self) -> Bool { order(\.major, other) == 0 }

  func sharesMinor(with other: Self) -> Bool { sharesMajor(with: other) && order(\.minor, other) == 0 }

  private func order(_ part: (SemanticVersion) -> Range<Int>, _ other: Self) -> Int {
    text[part(version)].order(asNumber: other.text[part(other.version)])
  }

  /// Compares pre-releases part by part; a release comes after its pre-releases.
  private func preReleaseOrder(to other: Self) -> Int {
    var (mine, others) = (text[version.preRelease], other.text[other.version.preRelease])
    if mine.isEmpty || others.isEmpty { return (mine.isEmpty ? 1 : 0) - (others.isEmpty ? 1 : 0) }
    while !mine.isEmpty, !others.isEmpty {
      let order = mine.popPart().order(to: others.popPart())
      if order != 0 { return order }
    }
    return (mine.isEmpty ? 0 : 1) - (others.isEmpty ? 0 : 1)
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Compares parts: numbers come before words, and words are compared by character.
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

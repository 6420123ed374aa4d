/// A version as Semantic Versioning 2.0 defines it, without its build metadata, which no comparison looks at.
struct SemanticVersion: Sendable {
  private let major: UInt128
  private let minor: UInt128
  private let patch: UInt128
  /// The pre-release, its parts joined by dots; empty for a release.
  private let preRelease: String

  /// Reads a version, or returns nil; one leading v is dropped, and `1` and `1.2` are completed with zeros.
  init?(_ text: String) {
    var text = text
    // The buffer is read while the closure runs, and not kept.
    guard let version = text.withUTF8({ Self(reading: $0) }) else { return nil }
    self = version
  }

  private init?(reading text: UnsafeBufferPointer<UInt8>) {
    var reader = VersionReader(text)
    reader.skipV()
    guard let major = reader.number(), let minor = reader.nextNumber(), let patch = reader.nextNumber() else {
      return nil
    }
    guard let preRelease = reader.preRelease(), reader.skipBuild(), reader.isAtEnd else { return nil }
    (self.major, self.minor, self.patch) = (major, minor, patch)
    self.preRelease = preRelease.isEmpty ? "" : String(decoding: preRelease, as: UTF8.self)
  }
}

extension SemanticVersion: Comparable {
  static func == (left: Self, right: Self) -> Bool { left.order(to: right) == .same }

  static func < (left: Self, right: Self) -> Bool { left.order(to: right) == .before }

  /// Returns whether both versions have the same major number.
  func sharesMajor(with other: Self) -> Bool { major == other.major }

  /// Returns whether both versions have the same major and minor number.
  func sharesMinor(with other: Self) -> Bool { sharesMajor(with: other) && minor == other.minor }
}

extension SemanticVersion {
  private enum Order {
    case before, same, after

    init<Value: Comparable>(_ left: Value, _ right: Value) {
      self = left < right ? .before : left == right ? .same : .after
    }

    /// This order, or the next where this one does not tell.
    func or(_ next: @autoclosure () -> Order) -> Order { self == .same ? next() : self }
  }

  private func order(to other: Self) -> Order {
    Order(major, other.major)
      .or(Order(minor, other.minor))
      .or(Order(patch, other.patch))
      .or(preReleaseOrder(to: other))
  }

  /// A release comes after its pre-releases; those are compared part by part.
  private func preReleaseOrder(to other: Self) -> Order {
    if preRelease.isEmpty || other.preRelease.isEmpty {
      return Order(preRelease.isEmpty ? 1 : 0, other.preRelease.isEmpty ? 1 : 0)
    }
    var (mine, others) = (preRelease.utf8[...], other.preRelease.utf8[...])
    while !mine.isEmpty, !others.isEmpty {
      let order = Self.order(of: mine.popPart(), and: others.popPart())
      if order != .same { return order }
    }
    return Order(mine.isEmpty ? 0 : 1, others.isEmpty ? 0 : 1)
  }

  /// Numbers come before words, and the longer number is the greater one; words are in the order of their characters.
  private static func order(of left: Substring.UTF8View, and right: Substring.UTF8View) -> Order {
    switch (left.isNumber, right.isNumber) {
    case (true, true): Order(left.count, right.count).or(textual(left, right))
    case (true, false): .before
    case (false, true): .after
    case (false, false): textual(left, right)
    }
  }

  private static func textual(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Order {
    left.elementsEqual(right) ? .same : left.lexicographicallyPrecedes(right) ? .before : .after
  }
}

extension Substring.UTF8View {
  fileprivate var isNumber: Bool { allSatisfy(\.isDigit) }

  /// Takes the part up to the next dot off the front.
  fileprivate mutating func popPart() -> Substring.UTF8View {
    let part = prefix { $0 != UInt8(ascii: ".") }
    self = self[part.endIndex...].dropFirst()
    return part
  }
}

extension String {
  /// Returns whether both strings have the same code units; equal characters alone are not enough.
  package func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // The buffers are read while the closures run, and not kept. A string without one is compared byte by byte.
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns a number below, at or above zero, as this string's UTF-16 comes before, with or after the other's.
  package func order(to other: String) -> Int {
    if utf16.elementsEqual(other.utf16) { return 0 }
    return utf16.lexicographicallyPrecedes(other.utf16) ? -1 : 1
  }
}

extension FlagValue {
  /// Returns whether two values are indistinguishable; being equal is not enough.
  ///
  /// Equal strings can differ in their code units, and zeros in their sign.
  package func isIdentical(to other: FlagValue) -> Bool {
    matches(other) { left, right in
      switch (left, right) {
      case (.null, .null): true
      case (.bool(let left), .bool(let right)): left == right
      case (.int(let left), .int(let right)): left == right
      case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
      case (.string(let left), .string(let right)): left.isIdentical(to: right)
      default: false
      }
    }
  }
}

extension [String: FlagValue] {
  /// Returns the member whose name has these code units, or nil.
  package func member(_ name: String) -> FlagValue? {
    guard let index = index(forKey: name), self[index].key.isIdentical(to: name) else { return nil }
    return self[index].value
  }
}

extension String {
  /// Returns whether both strings have the same code units; equal characters alone are not enough.
  package func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = withBytesIfContiguous { left in
      other.withBytesIfContiguous { right in left.isIdentical(to: right) }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns a number below, at or above zero if this string's UTF-16 is before, equal to or after the other's.
  package func order(to other: String) -> Int {
    if utf16.elementsEqual(other.utf16) { return 0 }
    return utf16.lexicographicallyPrecedes(other.utf16) ? -1 : 1
  }
}

extension [String: FlagValue] {
  /// Returns the member whose name has these code units, or nil.
  package func member(_ name: String) -> FlagValue? {
    guard let index = index(forKey: name), keys[index].isIdentical(to: name) else { return nil }
    return values[index]
  }
}

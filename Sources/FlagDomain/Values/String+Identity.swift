extension String {
  /// Returns whether both strings have the same code units; equal characters alone are not enough.
  package func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // The buffers are used only while the closures run. A string without a buffer is compared byte by byte.
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in UnsafeRawBufferPointer(left).isIdentical(to: right) }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns a number below, at or above zero if this string's UTF-16 is before, equal to or after the other's.
  package func order(to other: String) -> Int {
    if utf16.elementsEqual(other.utf16) { return 0 }
    return utf16.lexicographicallyPrecedes(other.utf16) ? -1 : 1
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether a buffer of the same length has the same bytes, eight at a time; the last eight may overlap.
  fileprivate func isIdentical(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    let other = UnsafeRawBufferPointer(other)
    let word = MemoryLayout<UInt64>.size
    guard count >= word else { return elementsEqual(other) }
    // Each load ends within both buffers: it begins at least a word before their common end.
    var place = 0
    while place < count - word {
      if load(at: place) != other.load(at: place) { return false }
      place += word
    }
    return load(at: count - word) == other.load(at: count - word)
  }

  private func load(at place: Int) -> UInt64 { loadUnaligned(fromByteOffset: place, as: UInt64.self) }
}

extension [String: FlagValue] {
  /// Returns the member whose name has these code units, or nil.
  package func member(_ name: String) -> FlagValue? {
    guard let index = index(forKey: name), keys[index].isIdentical(to: name) else { return nil }
    return values[index]
  }
}

/// A set of ASCII scalars, as 128 bits.
struct ASCIISet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates the set of the ASCII scalars in ranges and categories.
  init(_ ranges: [ClosedRange<UInt32>] = [], categories: CategorySet = []) {
    for range in ranges {
      low |= Self.bits(range, from: 0)
      high |= Self.bits(range, from: 64)
    }
    guard !categories.isEmpty else { return }
    for value in UInt8(0)..<0x80
    where categories.contains(CategorySet(Unicode.Scalar(value).properties.generalCategory)) {
      insert(UInt32(value))
    }
  }

  /// Returns the bits of a range in the word that begins at a value.
  private static func bits(_ range: ClosedRange<UInt32>, from start: UInt32) -> UInt64 {
    guard range.lowerBound < start + 64, range.upperBound >= start else { return 0 }
    let first = max(range.lowerBound, start) - start
    let last = min(range.upperBound, start + 63) - start
    return (~0 << UInt64(first)) & (~0 >> UInt64(63 - last))
  }

  /// Returns whether it has an ASCII scalar.
  func contains(_ value: UInt32) -> Bool {
    (value < 64 ? low >> UInt64(value) : high >> UInt64(value - 64)) & 1 == 1
  }

  /// Adds an ASCII scalar.
  mutating func insert(_ value: UInt32) {
    if value < 64 { low |= 1 << UInt64(value) } else { high |= 1 << UInt64(value - 64) }
  }

  mutating func formUnion(_ other: Self) {
    low |= other.low
    high |= other.high
  }

  mutating func invert() {
    low = ~low
    high = ~high
  }

  /// Adds the lower and upper case of each letter.
  mutating func formBothCases() {
    // A is bit 1 of the higher word, a is bit 33.
    let letters = (high | high >> 32) & 0x7FF_FFFE
    high |= letters | letters << 32
  }
}

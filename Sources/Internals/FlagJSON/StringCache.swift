/// A cache of the longer strings that a reader created recently, so that a repeated string is created and stored once.
///
/// Each hash has one entry, which the next string with that hash replaces. The cache therefore has a fixed size for
/// any document.
struct StringCache {
  /// A string, and the range of the text that it was last read from.
  private struct Entry {
    var range = 0..<0
    var string = ""
  }

  private var entries: [Entry] = []

  /// The lengths in bytes of the strings that are cached.
  ///
  /// Shorter ones take no heap memory; longer ones are rarely repeated, and slow to compare.
  private static let lengths = 16...64

  /// The minimum size in bytes of a text that is worth a cache: a line repeats nothing, and allocating the entries
  /// takes as long as parsing it.
  private static let leastText = 1 << 14

  /// The number of bits of a hash that choose the entry.
  private static let bits = 9

  /// Returns the string of a range, which must hold UTF-8.
  @inline(__always)
  mutating func string(in range: Range<Int>, of text: JSONText) -> String {
    Self.lengths.contains(range.count) && text.count >= Self.leastText
      ? cachedString(in: range, of: text) : text.string(in: range)
  }

  private mutating func cachedString(in range: Range<Int>, of text: JSONText) -> String {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: 1 << Self.bits) }
    let index = Int(truncatingIfNeeded: text.hash(of: range) >> UInt64(64 - Self.bits))
    if text.isEqual(range, entries[index].range) {
      entries[index].range = range  // the last read is the likeliest to be in the CPU's cache
      return entries[index].string
    }
    let string = text.string(in: range)
    entries[index] = Entry(range: range, string: string)
    return string
  }
}

extension JSONText {
  /// Returns a hash of the first and the last eight bytes of a range, which must have as many.
  fileprivate func hash(of range: Range<Int>) -> UInt64 {
    let head = word(at: range.lowerBound)
    let tail = word(at: range.upperBound - 8)
    // Odd constants, whose products carry all bits upwards (SplitMix64's and MurmurHash3's).
    return (head ^ (tail &* 0xff51_afd7_ed55_8ccd) ^ UInt64(range.count)) &* 0x9e37_79b9_7f4a_7c15
  }

  /// Returns whether two ranges have the same bytes; the first one must have at least eight.
  fileprivate func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    var distance = left.count - 8
    while distance > 0 {  // from the end, eight bytes at a time
      guard word(at: left.lowerBound + distance) == word(at: right.lowerBound + distance) else { return false }
      distance -= 8
    }
    return word(at: left.lowerBound) == word(at: right.lowerBound)
  }
}

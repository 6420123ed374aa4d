/// The classes of a pattern, each once.
struct ClassTable {
  private(set) var elements: [ScalarClass] = []
  private var indices: [ScalarClass: Int] = [:]

  /// Returns the node of a class.
  mutating func node(_ element: ScalarClass) -> PatternNode {
    if let index = indices[element] { return .element(index) }
    indices[element] = elements.count
    elements.append(element)
    return .element(elements.count - 1)
  }
}

/// Ranges that have a name in patterns.
enum NamedRanges {
  static let digit: [ClosedRange<UInt32>] = [0x30...0x39]
  static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  static let space: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]
  static let lineEnd: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]
  static let all: [ClosedRange<UInt32>] = [0...0x10_FFFF]

  /// The classes in double brackets, which have ASCII alone.
  static let posix: [String: [ClosedRange<UInt32>]] = [
    "alnum": [0x30...0x39, 0x41...0x5A, 0x61...0x7A], "alpha": [0x41...0x5A, 0x61...0x7A], "ascii": [0...0x7F],
    "blank": [0x09...0x09, 0x20...0x20], "cntrl": [0...0x1F, 0x7F...0x7F], "digit": digit, "graph": [0x21...0x7E],
    "lower": [0x61...0x7A], "print": [0x20...0x7E],
    "punct": [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E], "space": [0x09...0x0D, 0x20...0x20],
    "upper": [0x41...0x5A], "word": word, "xdigit": [0x30...0x39, 0x41...0x46, 0x61...0x66],
  ]

  /// Returns the scalars outside of ranges that are in order.
  static func inverted(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var inverted: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { inverted.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= 0x10_FFFF { inverted.append(next...0x10_FFFF) }
    return inverted
  }
}

extension PatternParser {
  /// Reads what comes behind a backslash, outside of brackets.
  mutating func escape(_ column: Int) throws(PatternError) -> PatternNode {
    switch peek() {
    case "b", "B", "A", "z":
      let assertions: [Unicode.Scalar: PatternNode.Assertion] = [
        "b": .wordBoundary, "B": .noWordBoundary, "A": .textStart, "z": .textEnd,
      ]
      return .assertion(next().flatMap { assertions[$0] } ?? .textEnd)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9", "k":
      throw error("a back-reference is not supported", .unsupported, column: column)
    case "Q":
      position += 1
      return quotation()
    default: break
    }
    if let (ranges, categories) = try namedClass(column) {
      return classes.node(ScalarClass(ranges, categories: categories, ignoresCase: flags.ignoresCase))
    }
    return literal(try escapedScalar(column))
  }

  /// Reads a text that stands for itself up to `\E`, or to the end.
  private mutating func quotation() -> PatternNode {
    var parts: [PatternNode] = []
    while position < scalars.count, !skip("\\E"), let scalar = next() { parts.append(literal(scalar)) }
    return .sequence(parts)
  }

  /// Reads the letter of a class, behind a backslash; nil if another escape is there.
  mutating func namedClass(
    _ column: Int
  ) throws(PatternError) -> (ranges: [ClosedRange<UInt32>], categories: CategorySet)? {
    let letters: [Unicode.Scalar: [ClosedRange<UInt32>]] = [
      "d": NamedRanges.digit, "w": NamedRanges.word, "s": NamedRanges.space,
    ]
    guard let scalar = peek() else { return nil }
    if let ranges = letters[scalar] {
      position += 1
      return (ranges, [])
    }
    if let ranges = letters[scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar] {
      position += 1
      return (NamedRanges.inverted(ranges), [])
    }
    guard scalar == "p" || scalar == "P" else { return nil }
    position += 1
    let name = skip("{") ? text(upTo: "}") : next().map { String($0) }
    guard let name, let categories = CategorySet(named: name) else {
      throw error("a property that is not a general category as L or Lu", .unsupported, column: column)
    }
    return ([], scalar == "P" ? categories.inverted : categories)
  }

  /// Reads what stands for one scalar, behind a backslash.
  mutating func escapedScalar(_ column: Int) throws(PatternError) -> Unicode.Scalar {
    switch next() {
    case "t": return "\t"
    case "n": return "\n"
    case "r": return "\r"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "0": return "\0"
    case "x": return try hexadecimal(digits: 2, column)
    case "u": return try hexadecimal(digits: 4, column)
    case nil: throw error("a backslash at the end", column: column)
    case let scalar? where scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar):
      throw error("\\\(scalar) is not supported", .unsupported, column: column)
    case let scalar?: return scalar
    }
  }

  /// Reads a code point, of so many digits or in braces; two halves of a pair are one.
  private mutating func hexadecimal(digits: Int, _ column: Int) throws(PatternError) -> Unicode.Scalar {
    let inBraces = skip("{") ? text(upTo: "}").map { Array($0.unicodeScalars) } : nil
    let code = inBraces ?? Array(scalars[position...].prefix(digits))
    guard var value = Self.value(code), inBraces != nil || code.count == digits else {
      throw error("\\\(digits == 2 ? "x" : "u") without \(digits) hexadecimal digits", column: column)
    }
    if inBraces == nil { position += digits }
    if (0xD800...0xDBFF).contains(value), skip("\\u") {
      let half = Self.value(Array(scalars[position...].prefix(4))) ?? 0
      guard (0xDC00...0xDFFF).contains(half) else { throw error("half of a surrogate pair", column: column) }
      position += 4
      value = 0x1_0000 + (value - 0xD800) << 10 + (half - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("no Unicode scalar", column: column) }
    return scalar
  }

  private static func value(_ digits: [Unicode.Scalar]) -> UInt32? {
    guard (1...8).contains(digits.count) else { return nil }
    return digits.reduce(0 as UInt32?) { value, digit in
      guard let value, digit.isASCII, let number = Character(digit).hexDigitValue else { return nil }
      return value << 4 | UInt32(number)
    }
  }
}

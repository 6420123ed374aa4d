extension PatternParser {
  /// An item of a class in brackets.
  private enum Item {
    case scalar(Unicode.Scalar)
    case set([ClosedRange<UInt32>], CategorySet)
  }

  /// Reads a class, behind its opening bracket.
  mutating func bracket(_ column: Int) throws(PatternError) -> PatternNode {
    let isNegated = skip("^")
    if peek() == "]" {
      throw error(#"a class that is empty, or has ] first: write \] for it"#, .unsupported, column: column)
    }
    var ranges: [ClosedRange<UInt32>] = []
    var categories: CategorySet = []
    while !skip("]") {
      let start = position + 1
      switch try item(column) {
      case .set(let others, let more):
        ranges += others
        categories.formUnion(more)
      case .scalar(let first):
        let last = try upperBound(column) ?? first
        guard first <= last else { throw error("a range whose end is before its start", column: start) }
        ranges.append(first.value...last.value)
        if flags.ignoresCase, first == last, !first.isASCII { ranges += first.otherCases.map { $0.value...$0.value } }
      }
    }
    return classes.node(
      ScalarClass(ranges, categories: categories, isNegated: isNegated, ignoresCase: flags.ignoresCase))
  }

  /// Reads the end of a range; nil if there is none, as before a bracket or a class.
  private mutating func upperBound(_ column: Int) throws(PatternError) -> Unicode.Scalar? {
    guard peek() == "-", let after = peek(1), after != "]" else { return nil }
    let start = position
    position += 1
    guard case .scalar(let last) = try item(column) else {
      position = start
      return nil
    }
    return last
  }

  private mutating func item(_ column: Int) throws(PatternError) -> Item {
    let start = position + 1
    if let ranges = posixClass() { return .set(ranges, []) }
    switch next() {
    case nil: throw error("a bracket without its closing one", column: column)
    case "\\":
      if skip("b") { return .scalar("\u{8}") }
      if let named = try namedClass(start) { return .set(named.ranges, named.categories) }
      return .scalar(try escapedScalar(start))
    case let scalar?: return .scalar(scalar)
    }
  }

  /// Reads a class as `[:alpha:]` or `[:^alpha:]`; nil if none comes next.
  private mutating func posixClass() -> [ClosedRange<UInt32>]? {
    let start = position
    guard skip("[:") else { return nil }
    let isNegated = skip("^")
    let letters = scalars[position...].prefix(8).prefix { ("a"..."z").contains($0) }
    position += letters.count
    guard let ranges = NamedRanges.posix[String(String.UnicodeScalarView(letters))], skip(":]") else {
      position = start
      return nil
    }
    return isNegated ? NamedRanges.inverted(ranges) : ranges
  }
}

/// A parser of patterns, whose recursion is limited.
struct PatternParser {
  /// The flags that a pattern can set for the rest of a group.
  struct Flags {
    var ignoresCase: Bool
    var isMultiline = false
    var matchesLineEnds = false
  }

  private static let maximumDepth = 100

  let scalars: [Unicode.Scalar]
  var position = 0
  var flags: Flags
  var classes = ClassTable()
  private var depth = 0
  private var count = 0

  init(_ text: String, ignoresCase: Bool) {
    scalars = Array(text.unicodeScalars)
    flags = Flags(ignoresCase: ignoresCase)
  }

  /// Returns the whole pattern.
  mutating func pattern() throws(PatternError) -> PatternNode {
    let node = try alternatives()
    guard peek() == nil else { throw error("a parenthesis without its opening one") }
    return node
  }

  /// Returns the parts between bars, up to the end of a group.
  mutating func alternatives() throws(PatternError) -> PatternNode {
    let outer = flags
    var parts = [try sequence()]
    while skip("|") { parts.append(try sequence()) }
    flags = outer
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      count += 1
      guard count <= Pattern.maximumSize else { throw sizeError(at: position + 1) }
      if let atom = try atom() { parts.append(try repeated(atom)) }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// Returns the next scalar, or a later one; nil at the end.
  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  /// Moves behind the next scalar, and returns it.
  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    position += 1
    return scalar
  }

  /// Moves behind a text if it comes next, and returns whether it did.
  mutating func skip(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// Moves behind an end, and returns the scalars before it; nil if there is no such end.
  mutating func text(upTo end: Unicode.Scalar) -> String? {
    guard let index = scalars[position...].firstIndex(of: end) else { return nil }
    defer { position = index + 1 }
    return String(String.UnicodeScalarView(scalars[position..<index]))
  }

  /// Returns an error at the next scalar, or at another column.
  func error(_ message: String, _ code: PatternError.Code = .syntax, column: Int? = nil) -> PatternError {
    PatternError(code: code, column: column ?? position + 1, message: message)
  }

  private func sizeError(at column: Int) -> PatternError {
    error("more than \(Pattern.maximumSize) instructions", .size, column: column)
  }

  /// Returns the next part; nil if it only sets flags.
  private mutating func atom() throws(PatternError) -> PatternNode? {
    let column = position + 1
    switch next() {
    case "(": return try group(column)
    case "[": return try bracket(column)
    case "\\": return try escape(column)
    case ".": return classes.node(ScalarClass(flags.matchesLineEnds ? NamedRanges.all : Self.inLine))
    case "^": return .assertion(flags.isMultiline ? .lineStart : .textStart)
    case "$": return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
    case "*", "+", "?": throw error("nothing to repeat", column: column)
    case "{":
      position -= 1
      guard try counts() == nil else { throw error("nothing to repeat", column: column) }
      position += 1
      return literal("{")
    case let scalar?: return literal(scalar)
    case nil: return nil
    }
  }

  private static let inLine = NamedRanges.inverted(NamedRanges.lineEnd)

  /// Returns the part of one scalar, in both cases if its case does not count.
  mutating func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    guard flags.ignoresCase else { return .scalar(scalar) }
    let values = ([scalar] + (scalar.isASCII ? [] : scalar.otherCases)).map { $0.value...$0.value }
    return classes.node(ScalarClass(values, ignoresCase: true))
  }

  private mutating func group(_ column: Int) throws(PatternError) -> PatternNode? {
    let outer = flags
    if skip("?") {
      guard try prefix(column) else { return nil }
    }
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw error("more than \(Self.maximumDepth) groups in each other", .size, column: column)
    }
    let node = try alternatives()
    guard skip(")") else { throw error("a parenthesis without its closing one", column: column) }
    depth -= 1
    flags = outer
    return node
  }
}

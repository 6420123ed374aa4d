/// A lexer that splits Swift source into tokens, one by one, without whitespace and comments.
///
/// It handles everything that can hide a bracket or a name: nested comments, strings of every form with interpolations,
/// names in backticks, regular expressions. It accepts any bytes, in linear time: anything unterminated is recorded as
/// a flaw and skipped.
package struct SwiftLexer {
  let bytes: [UInt8]
  var offset = 0
  private var line = 1
  private var lineStart = 0
  private var startsLine = true
  /// The open strings around the offset, inside whose interpolations the lexer is, outermost first.
  var strings: [OpenString] = []
  /// The previous token, which decides whether a slash starts a regular expression.
  private(set) var last: (kind: SwiftToken.Kind, range: Range<Int>)?
  /// The fewest number signs for which no end of a regular expression follows.
  var unendedHashes = Int.max
  /// The first unterminated token; nil if all tokens so far are complete.
  package private(set) var flaw: SourceFlaw?

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next token; nil at the end.
  ///
  /// A string with interpolations is returned in parts, with the tokens of the interpolated code between them.
  package mutating func next() -> SwiftToken? {
    while true {
      skipTrivia()
      guard let first = peek() else { break }
      let (start, line, column, startsLine) = (offset, line, offset - lineStart + 1, startsLine)
      let kind = scan(startingWith: first)
      self.startsLine = false
      guard let kind else { continue }
      last = (kind, start..<offset)
      return SwiftToken(
        kind: kind, text: text(in: start..<offset), range: start..<offset, line: line, column: column,
        startsLine: startsLine)
    }
    if let string = strings.last { note("interpolation", at: string.code..<string.code + 1) }
    return nil
  }

  /// Returns the next token, with an interpolated string as one token; nil at the end.
  mutating func nextWhole() -> SwiftToken? {
    guard let head = next() else { return nil }
    guard head.kind == .string(.head) else { return head }
    while let part = next() {
      guard strings.isEmpty else { continue }
      guard part.kind == .string(.tail) else { return part }
      let range = head.range.lowerBound..<part.range.upperBound
      return SwiftToken(
        kind: .string(.interpolated), text: text(in: range), range: range, line: head.line, column: head.column,
        startsLine: head.startsLine)
    }
    return nil
  }

  // MARK: Reading bytes

  /// Returns the byte at a distance, or nil at the end; a byte of a non-ASCII character is read as Latin-1.
  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    offset + distance < bytes.count ? Unicode.Scalar(bytes[offset + distance]) : nil
  }

  /// Returns whether the given count of number signs is at a distance.
  func hasHashes(_ count: Int, at distance: Int) -> Bool {
    (0..<count).allSatisfy { peek(distance + $0) == "#" }
  }

  func text(in range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  mutating func take(_ kind: SwiftToken.Kind, count: Int = 1) -> SwiftToken.Kind {
    offset += count
    return kind
  }

  mutating func startLine() {
    offset += 1
    line += 1
    lineStart = offset
    startsLine = true
  }

  /// Records an unterminated token, unless a flaw was found before.
  mutating func note(_ thing: String, at range: Range<Int>) {
    flaw = flaw ?? SourceFlaw(kind: .unterminated(thing), range: range)
  }

  // MARK: Space and comments

  private mutating func skipTrivia() {
    while let next = peek() {
      switch next {
      case "\n": startLine()
      case "\r":
        startsLine = true
        offset += 1
      case "/" where peek(1) == "/": skipLine()
      case "/" where peek(1) == "*": skipBlockComment()
      case _ where next.isSpace: offset += 1
      case _ where isAtNoBreakSpace: offset += 2
      default: return
      }
    }
  }

  private mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n"), bytes[offset] != UInt8(ascii: "\r") { offset += 1 }
  }

  private mutating func skipBlockComment() {
    let start = offset
    var depth = 0
    repeat {
      switch (peek(), peek(1)) {
      case (nil, _): return note("comment", at: start..<start + 2)
      case ("/", "*"):
        depth += 1
        offset += 2
      case ("*", "/"):
        depth -= 1
        offset += 2
      case ("\n", _): startLine()
      default: offset += 1
      }
    } while depth > 0
  }

  /// Whether the next character is a no-break space, which the compiler treats as whitespace, too.
  private var isAtNoBreakSpace: Bool { peek() == "\u{C2}" && peek(1) == "\u{A0}" }

  // MARK: Words, numbers and signs

  /// Scans one token and returns its kind; nil for an unterminated string, which is skipped.
  private mutating func scan(startingWith first: Unicode.Scalar) -> SwiftToken.Kind? {
    switch first {
    case "\"": return scanString(hashes: 0)
    case "#": return scanAfterHash()
    case "`": return scanQuotedName()
    case "/": return scanSlash()
    case "(": return scanParenthesis()
    case ")": return scanClosingParenthesis()
    case "[", "{": return take(.opening)
    case "]", "}": return take(.closing)
    case "<", ">", "?", "!": return take(.sign)
    case _ where first.isDigit: return scanNumber()
    case _ where first.isOperator: return scanOperator()
    case _ where first.isWordPart: return scanWord(.word)
    default: return take(.sign)
    }
  }

  /// Scans the rest of a word, which may be empty.
  private mutating func scanWord(_ kind: SwiftToken.Kind) -> SwiftToken.Kind {
    while let next = peek(), next.isWordPart, next != "\u{C2}" || !isAtNoBreakSpace { offset += 1 }
    return kind
  }

  private mutating func scanQuotedName() -> SwiftToken.Kind {
    var length = 1
    while let next = peek(length), next != "`", next != "\n" { length += 1 }
    if peek(length) == "`" { return take(.word, count: length + 1) }
    note("name", at: offset..<offset + 1)
    return take(.sign)
  }

  private mutating func scanNumber() -> SwiftToken.Kind {
    let exponents: [Unicode.Scalar] = peek() == "0" && peek(1) == "x" ? ["p", "P"] : ["e", "E"]
    while let next = peek() {
      let isExponentSign = (next == "+" || next == "-") && peek(-1).map(exponents.contains) == true
      let isPoint = next == "." && peek(1)?.isDigit == true
      guard next.isWordPart || isExponentSign || isPoint else { break }
      offset += 1
    }
    return .number
  }

  /// Scans at least one operator character, and stops before a comment.
  mutating func scanOperator() -> SwiftToken.Kind {
    repeat { offset += 1 } while peek()?.isOperator == true && !(peek() == "/" && (peek(1) == "/" || peek(1) == "*"))
    return .sign
  }

  private mutating func scanAfterHash() -> SwiftToken.Kind? {
    var hashes = 1
    while peek(hashes) == "#" { hashes += 1 }
    if peek(hashes) == "\"" { return scanString(hashes: hashes) }
    if peek(hashes) == "/", scanExtendedRegex(hashes: hashes) { return .regex }
    offset += hashes
    return scanWord(.directive)
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isSpace: Bool { self == " " || ("\t"..."\r").contains(self) || self == "\0" }
  var isOperator: Bool {
    switch self {
    case "/", "=", "-", "+", "!", "*", "%", "&", "|", "^", "~", "?", ".", "<", ">": true
    default: false
    }
  }
  /// Whether the scalar is part of a name; every non-ASCII scalar counts as such.
  var isWordPart: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "\u{80}"...: true
    default: false
    }
  }
}

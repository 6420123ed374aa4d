/// Cuts a program's text into tokens, and leaves out space and comments.
///
/// It knows what can hide a bracket: nested comments, strings of every form with interpolations inside, names in
/// back-ticks, regular expressions.
struct Scanner {
  var text: TextCursor
  private(set) var tokens: [Token] = []
  private var startsLine = true
  /// How many interpolations the text is in.
  let depth: Int

  /// Returns the tokens of a text; throws where something in it has no end.
  static func tokens(of text: String) throws(Problem) -> [Token] {
    var scanner = Scanner(TextCursor(text), depth: 0)
    while try scanner.scanToken() {}
    return scanner.tokens
  }

  init(_ text: TextCursor, depth: Int) {
    self.text = text
    self.depth = depth
  }

  /// Scans one token; returns false at the end of the text.
  mutating func scanToken() throws(Problem) -> Bool {
    try skipTrivia()
    guard let first = text.next else { return false }
    let start = text
    let kind = try scanKind(startingWith: first)
    tokens.append(
      Token(kind: kind, text: text.text(since: start), range: start.offset..<text.offset, startsLine: startsLine))
    startsLine = false
    return true
  }

  private mutating func scanKind(startingWith first: Unicode.Scalar) throws(Problem) -> Token.Kind {
    switch first {
    case "\"": return try scanString(hashes: 0)
    case "#": return try scanAfterHash()
    case "`": return try scanQuotedName()
    case "/": return scanSlash()
    case "(", "[", "{": return take(.opening)
    case ")", "]", "}": return take(.closing)
    case "<", ">", "?", "!": return take(.sign)
    case _ where first.isDigit: return scanNumber()
    case _ where first.isOperator: return take(.sign, while: \.isOperator)
    case _ where first.isWordPart: return take(.word, while: \.isWordPart)
    default: return take(.sign)
    }
  }

  mutating func take(_ kind: Token.Kind, count: Int = 1) -> Token.Kind {
    text.skip(count)
    return kind
  }

  mutating func take(_ kind: Token.Kind, while belongs: (Unicode.Scalar) -> Bool) -> Token.Kind {
    text.skip(while: belongs)
    return kind
  }

  func unterminated(_ thing: String, since start: TextCursor, length: Int = 1) -> Problem {
    Problem(.unterminated(thing), at: start.offset..<start.offset + length)
  }
}

// MARK: Space and comments

extension Scanner {
  private mutating func skipTrivia() throws(Problem) {
    while let next = text.next {
      if next == "\n" || next == "\r" {
        startsLine = true
        text.skip(1)
      } else if next.properties.isWhitespace || next == "\0" {
        text.skip(1)
      } else if text.follows("//") {
        text.skip { $0 != "\n" && $0 != "\r" }
      } else if text.follows("/*") {
        try skipBlockComment()
      } else {
        return
      }
    }
  }

  private mutating func skipBlockComment() throws(Problem) {
    let start = text
    var depth = 0
    repeat {
      guard let next = text.next else { throw unterminated("comment", since: start, length: 2) }
      if next == "\n" { startsLine = true }
      let opens = text.follows("/*")
      let closes = text.follows("*/")
      depth += opens ? 1 : closes ? -1 : 0
      text.skip(opens || closes ? 2 : 1)
    } while depth > 0
  }
}

// MARK: Words and numbers

extension Scanner {
  private mutating func scanQuotedName() throws(Problem) -> Token.Kind {
    let start = text
    text.skip(1)
    text.skip { $0 != "`" && $0 != "\n" }
    guard text.next == "`" else { throw unterminated("name", since: start) }
    return take(.word)
  }

  private mutating func scanNumber() -> Token.Kind {
    let exponents: [Unicode.Scalar] = text.follows("0x") ? ["p", "P"] : ["e", "E"]
    while let next = text.next {
      let isExponentSign = (next == "+" || next == "-") && text.previous.map(exponents.contains) == true
      let isPoint = next == "." && text.peek(1)?.isDigit == true
      guard next.isWordPart || isExponentSign || isPoint else { break }
      text.skip(1)
    }
    return .number
  }

  private mutating func scanAfterHash() throws(Problem) -> Token.Kind {
    let hashes = text.count(of: "#")
    switch text.peek(hashes) {
    case "\"": return try scanString(hashes: hashes)
    case "/": return try scanExtendedRegex(hashes: hashes)
    default:
      text.skip(1)
      return take(.directive, while: \.isWordPart)
    }
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isOperator: Bool { "/=-+!*%&|^~?.<>".unicodeScalars.contains(self) }
  /// Whether the scalar is part of a name; all that is not ASCII counts as such.
  var isWordPart: Bool {
    isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || self == "$" || !isASCII
  }
}

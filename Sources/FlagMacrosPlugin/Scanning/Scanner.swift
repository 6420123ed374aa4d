/// Cuts a program's text into tokens, and leaves out space and comments.
///
/// It knows what can hide a bracket: nested comments, strings of every form with interpolations inside, names in
/// back-ticks, regular expressions.
struct Scanner {
  private(set) var text: TextCursor
  private(set) var tokens: [Token] = []
  private var startsLine = true
  /// How many interpolations the text stands in.
  private let depth: Int

  /// Returns the tokens of a text; throws where something in it has no end.
  static func tokens(of text: String) throws(Problem) -> [Token] {
    var scanner = Scanner(TextCursor(text), depth: 0)
    while try scanner.scanToken() {}
    return scanner.tokens
  }

  private init(_ text: TextCursor, depth: Int) {
    self.text = text
    self.depth = depth
  }

  /// Scans one token; returns false at the end of the text.
  private mutating func scanToken() throws(Problem) -> Bool {
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

  private mutating func take(_ kind: Token.Kind, count: Int = 1) -> Token.Kind {
    text.skip(count)
    return kind
  }

  private mutating func take(_ kind: Token.Kind, while belongs: (Unicode.Scalar) -> Bool) -> Token.Kind {
    text.skip(while: belongs)
    return kind
  }

  private func unterminated(_ thing: String, since start: TextCursor, length: Int = 1) -> Problem {
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

// MARK: Strings

extension Scanner {
  /// The deepest that interpolations may stand inside each other.
  private static let maximumDepth = 64

  private mutating func scanString(hashes: Int) throws(Problem) -> Token.Kind {
    let start = text
    let fence = String(repeating: "#", count: hashes)
    text.skip(hashes)
    let isMultiline = text.follows("\"\"\"") && (hashes == 0 || !text.follows("\"\"\"" + fence))
    let quotes = isMultiline ? "\"\"\"" : "\""
    text.skip(quotes.count)
    var isInterpolated = false
    while let next = text.next, isMultiline || (next != "\n" && next != "\r") {
      if text.follows(quotes + fence) {
        return take(.string(isInterpolated: isInterpolated), count: quotes.count + hashes)
      }
      let isEscape = text.follows("\\" + fence)
      text.skip(isEscape ? 1 + hashes : 1)
      guard isEscape else { continue }
      if text.next == "(" {
        isInterpolated = true
        try skipInterpolation()
      } else {
        text.skip(1)
      }
    }
    throw unterminated("string", since: start, length: hashes + 1)
  }

  /// Skips an interpolation by scanning it: it may hold strings, which may hold interpolations.
  private mutating func skipInterpolation() throws(Problem) {
    let start = text
    guard depth < Self.maximumDepth else { throw Problem(.tooDeep, at: start.offset..<start.offset + 1) }
    var inner = Scanner(text, depth: depth + 1)
    var open = 0
    repeat {
      guard try inner.scanToken(), let kind = inner.tokens.last?.kind else {
        throw unterminated("interpolation", since: start)
      }
      open += kind == .opening ? 1 : kind == .closing ? -1 : 0
    } while open > 0
    text = inner.text
  }
}

// MARK: Regular expressions

extension Scanner {
  /// Scans a slash: it starts a regular expression where no operand precedes it and the line has a second one.
  private mutating func scanSlash() -> Token.Kind {
    guard mayStartRegex, let length = regexLength else { return take(.sign, while: \.isOperator) }
    return take(.regex, count: length)
  }

  private var mayStartRegex: Bool {
    guard let next = text.peek(1), !next.properties.isWhitespace, next != "=" else { return false }
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .opening: return true
    case .sign: return ![".", "?", "!", ">"].contains(last.text)
    case .word: return ["return", "in", "case", "where", "if", "guard", "while", "try", "await"].contains(last.text)
    default: return false
    }
  }

  private var regexLength: Int? {
    var isEscaped = false
    for distance in 1... {
      guard let scalar = text.peek(distance), scalar != "\n" else { return nil }
      if scalar == "/", !isEscaped { return distance + 1 }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return nil
  }

  private mutating func scanExtendedRegex(hashes: Int) throws(Problem) -> Token.Kind {
    let start = text
    let end = "/" + String(repeating: "#", count: hashes)
    text.skip(hashes + 1)
    while text.next != nil {
      if text.follows(end) { return take(.regex, count: end.count) }
      text.skip(1)
    }
    throw unterminated("regular expression", since: start, length: hashes + 1)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isOperator: Bool { "/=-+!*%&|^~?.<>".unicodeScalars.contains(self) }
  /// Whether the scalar is part of a name; all that is not ASCII counts as such.
  fileprivate var isWordPart: Bool {
    isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || self == "$" || !isASCII
  }
}

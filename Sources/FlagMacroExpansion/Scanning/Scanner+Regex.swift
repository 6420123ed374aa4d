extension Scanner {
  /// Scans a slash: it starts a regular expression where no operand precedes it and the line has a second one.
  mutating func scanSlash() -> Token.Kind {
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
      if scalar == "/", !isEscaped {
        return text.peek(distance - 1)?.properties.isWhitespace == true ? nil : distance + 1
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return nil
  }

  mutating func scanExtendedRegex(hashes: Int) throws(Problem) -> Token.Kind {
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

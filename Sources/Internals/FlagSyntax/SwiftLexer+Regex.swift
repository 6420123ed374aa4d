extension SwiftLexer {
  /// The maximum length of a regular expression between bare slashes, in bytes.
  private static let maximumLength = 4096

  /// Scans a slash: it starts a regular expression if no operand precedes it and the line has a second one.
  mutating func scanSlash() -> SwiftToken.Kind {
    guard mayStartRegex, let length = regexLength else { return scanOperator() }
    return take(.regex, count: length)
  }

  private static let wordsBeforeValues: Set = [
    "return", "in", "case", "where", "if", "guard", "while", "try", "await",
  ]

  private var mayStartRegex: Bool {
    guard let next = peek(1), !next.isSpace, next != "=" else { return false }
    guard let last else { return true }
    switch last.kind {
    case .opening, .string(.head), .string(.middle): return true
    case .sign: return ![".", "?", "!", ">"].contains(text(in: last.range))
    case .word: return Self.wordsBeforeValues.contains(text(in: last.range))
    default: return false
    }
  }

  private var regexLength: Int? {
    var isEscaped = false
    for distance in 1...Self.maximumLength {
      guard let next = peek(distance), next != "\n" else { return nil }
      if next == "/", !isEscaped { return peek(distance - 1)?.isSpace == true ? nil : distance + 1 }
      isEscaped = next == "\\" && !isEscaped
    }
    return nil
  }

  /// Scans a regular expression with number signs around it; returns false and consumes nothing if it is unterminated.
  mutating func scanExtendedRegex(hashes: Int) -> Bool {
    let start = offset
    var end = offset + hashes + 1
    // An end that was not found once does not exist further on either, so the scan stays linear for many such starts.
    while hashes < unendedHashes, end < bytes.count {
      if bytes[end] == UInt8(ascii: "/"), hasHashes(hashes, at: end + 1 - offset) {
        while offset < end { if peek() == "\n" { startLine() } else { offset += 1 } }
        offset += hashes + 1
        return true
      }
      end += 1
    }
    unendedHashes = min(unendedHashes, hashes)
    note("regular expression", at: start..<start + hashes + 1)
    return false
  }
}

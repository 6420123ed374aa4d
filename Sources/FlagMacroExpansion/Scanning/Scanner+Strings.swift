extension Scanner {
  /// The deepest that interpolations may be inside each other.
  private static let maximumDepth = 64

  mutating func scanString(hashes: Int) throws(Problem) -> Token.Kind {
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

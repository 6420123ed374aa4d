extension SwiftLexer {
  /// A string whose interpolated code is being scanned.
  struct OpenString {
    let hashes: Int
    let isMultiline: Bool
    let start: Int
    /// The offset of the interpolation's opening parenthesis.
    var code = 0
    /// The number of open parentheses in the interpolated code.
    var parentheses = 0
  }

  /// Scans a string to its end, or to its first interpolation.
  mutating func scanString(hashes: Int) -> SwiftToken.Kind? {
    let start = offset
    offset += hashes
    // `#"""#` is a single-line string that contains one quotation mark.
    let isMultiline = peek(1) == "\"" && peek(2) == "\"" && (hashes == 0 || !hasHashes(hashes, at: 3))
    offset += isMultiline ? 3 : 1
    return scanText(of: OpenString(hashes: hashes, isMultiline: isMultiline, start: start), ending: .plain, .head)
  }

  /// Scans the text of a string to its end or to the next interpolation; returns nil if it is unterminated.
  private mutating func scanText(
    of string: OpenString, ending end: SwiftToken.Extent, _ beforeCode: SwiftToken.Extent
  ) -> SwiftToken.Kind? {
    while let next = peek(), string.isMultiline || (next != "\n" && next != "\r") {
      switch next {
      case "\\" where hasHashes(string.hashes, at: 1):
        offset += 1 + string.hashes
        if peek() == "(" { return openCode(in: string, beforeCode) }
        if peek() != "\n", peek() != "\r" { offset += 1 }
      case "\"" where isEnd(of: string): return take(.string(end), count: (string.isMultiline ? 3 : 1) + string.hashes)
      case "\n": startLine()
      default: offset += 1
      }
    }
    offset = min(offset, bytes.count)
    note("string", at: string.start..<string.start + string.hashes + 1)
    return nil
  }

  private func isEnd(of string: OpenString) -> Bool {
    guard string.isMultiline else { return hasHashes(string.hashes, at: 1) }
    return peek(1) == "\"" && peek(2) == "\"" && hasHashes(string.hashes, at: 3)
  }

  private mutating func openCode(in string: OpenString, _ extent: SwiftToken.Extent) -> SwiftToken.Kind {
    var string = string
    (string.code, string.parentheses) = (offset, 1)
    strings.append(string)
    return take(.string(extent))
  }

  // MARK: Code in strings

  mutating func scanParenthesis() -> SwiftToken.Kind {
    if let index = strings.indices.last { strings[index].parentheses += 1 }
    return take(.opening)
  }

  /// Scans a closing parenthesis, and if it ends an interpolation, also the text after it.
  mutating func scanClosingParenthesis() -> SwiftToken.Kind? {
    guard let index = strings.indices.last else { return take(.closing) }
    strings[index].parentheses -= 1
    guard strings[index].parentheses == 0 else { return take(.closing) }
    offset += 1
    return scanText(of: strings.removeLast(), ending: .tail, .middle)
  }
}

import FlagSyntax

extension DeclarationParser {
  /// Whether the next token starts another member, or a condition around members.
  var startsMember: Bool {
    guard let next, index > 0 else { return true }
    if next.text == ";" { return true }
    guard startsLine else { return false }
    return next.text == "@" || next.kind == .directive || Self.introducers.contains(next.text)
  }

  /// Whether the next token starts a line, and does not continue the expression before it.
  var startsLine: Bool { next?.startsLine == true && !(index > 0 && source.continuesLine(index - 1)) }

  mutating func skipMember() {
    _ = parseAttributes()
    _ = parseModifiers()
    guard index < end else { return }
    repeat { skipBalanced() } while index < end && !startsMember
    while skip(";") {}
  }

  private static let introducers = modifiers.union([
    "var", "let", "func", "init", "deinit", "subscript", "struct", "class", "enum", "actor", "protocol", "extension",
    "typealias", "associatedtype", "case", "import", "operator", "precedencegroup", "macro",
  ])
}

extension SourceText {
  /// Returns whether an expression continues after a token, even on another line.
  ///
  /// An operator at the end of a line that touches the token before it is postfix, so the expression ends there.
  fileprivate func continuesLine(_ index: Int) -> Bool {
    let token = tokens[index]
    guard token.kind == .sign, token.text != ";" else { return false }
    let isGlued = index > 0 && tokens[index - 1].range.upperBound == token.range.lowerBound
    return !isGlued || [",", ":", "=", ".", "->", "&"].contains(token.text)
  }
}

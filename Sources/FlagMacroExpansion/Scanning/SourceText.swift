/// A declaration as it was written: its text, its tokens, and which brackets belong together.
struct SourceText {
  let tokens: [Token]
  private let text: String
  private let partners: [Int: Int]

  init(_ text: String) throws(Problem) {
    self.text = text
    tokens = try Scanner.tokens(of: text)
    partners = try Self.partners(in: tokens)
  }

  private static func partners(in tokens: [Token]) throws(Problem) -> [Int: Int] {
    let pairs = ["(": ")", "[": "]", "{": "}"]
    var partners: [Int: Int] = [:]
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if token.kind == .opening { open.append(index) }
      guard token.kind == .closing else { continue }
      guard let opening = open.popLast(), pairs[tokens[opening].text] == token.text else {
        throw Problem(.unbalanced(token.text), at: token.range)
      }
      partners[opening] = index
    }
    if let index = open.last { throw Problem(.unbalanced(tokens[index].text), at: tokens[index].range) }
    return partners
  }
}

extension SourceText {
  /// Returns the index after a token, or after the bracket that closes it.
  func index(after index: Int) -> Int { (partners[index] ?? index) + 1 }

  /// Returns the indices between a bracket and its partner.
  func inside(_ bracket: Int) -> Range<Int> { bracket + 1..<(partners[bracket] ?? bracket + 1) }

  /// Returns the range of tokens, in bytes; for no tokens, the end of the token before.
  func bytes(of indices: Range<Int>) -> Range<Int> {
    let end = indices.upperBound > 0 ? tokens[indices.upperBound - 1].range.upperBound : 0
    return indices.isEmpty ? end..<end : tokens[indices.lowerBound].range.lowerBound..<end
  }

  /// Returns the text of tokens as it was written, space and comments between them included.
  func text(of indices: Range<Int>) -> String { slice(bytes(of: indices)) }

  /// Returns the text of tokens with another type's name where they say `Self`.
  func text(of indices: Range<Int>, withSelf name: String) -> String {
    var text = ""
    var end = bytes(of: indices).lowerBound
    for token in tokens[indices] {
      text += slice(end..<token.range.lowerBound) + (token.text == "Self" ? name : token.text)
      end = token.range.upperBound
    }
    return text
  }

  private func slice(_ bytes: Range<Int>) -> String {
    let start = text.utf8.index(text.startIndex, offsetBy: bytes.lowerBound)
    return String(text[start..<text.utf8.index(start, offsetBy: bytes.count)])
  }
}

extension SourceText {
  /// Returns what a string literal of one line says, or nil where it is another expression or needs reading.
  ///
  /// Interpolations and escapes need reading.
  func plainString(_ indices: Range<Int>) -> String? {
    guard indices.count == 1, tokens[indices.lowerBound].kind == .string(isInterpolated: false) else { return nil }
    let text = tokens[indices.lowerBound].text
    let fence = text.prefix { $0 == "#" }
    let content = text.dropFirst(fence.count + 1).dropLast(fence.count + 1)
    let isPlain = !content.contains("\\" + fence) && !content.contains("\n")
    return isPlain && !text.dropFirst(fence.count).hasPrefix("\"\"\"") ? String(content) : nil
  }
}

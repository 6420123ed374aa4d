/// Swift source as written: its bytes, its tokens, and its pairs of matching brackets.
package struct SourceText: Sendable {
  package let tokens: [SwiftToken]
  /// The first unterminated token, or else the first unbalanced bracket; nil for well-formed source.
  package let flaw: SourceFlaw?
  private let bytes: [UInt8]
  private let partners: [Int: Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lexer = SwiftLexer(bytes)
    var tokens: [SwiftToken] = []
    while let token = lexer.nextWhole() { tokens.append(token) }
    self.tokens = tokens
    let (partners, unbalanced) = Self.partners(in: tokens)
    self.partners = partners
    flaw = lexer.flaw ?? unbalanced.map { SourceFlaw(kind: .unbalanced($0.text), range: $0.range) }
  }

  /// Returns the indices of closing brackets by those of opening ones, and the first unbalanced bracket.
  private static func partners(in tokens: [SwiftToken]) -> ([Int: Int], unbalanced: SwiftToken?) {
    let pairs = ["(": ")", "[": "]", "{": "}"]
    var partners: [Int: Int] = [:]
    var open: [Int] = []
    var unbalanced: SwiftToken?
    for (index, token) in tokens.enumerated() {
      if token.kind == .opening { open.append(index) }
      guard token.kind == .closing else { continue }
      if let opening = open.popLast(), pairs[tokens[opening].text] == token.text {
        partners[opening] = index
      } else {
        unbalanced = unbalanced ?? token
      }
    }
    return (partners, unbalanced ?? open.last.map { tokens[$0] })
  }

  /// Returns the index after a token, or after the bracket that closes it.
  package func index(after index: Int) -> Int { (partners[index] ?? index) + 1 }

  /// Returns the indices between a bracket and the matching one.
  package func inside(_ bracket: Int) -> Range<Int> { bracket + 1..<(partners[bracket] ?? bracket + 1) }

  /// Returns the byte range of tokens; for an empty range, the end of the token before.
  package func bytes(of indices: Range<Int>) -> Range<Int> {
    let end = indices.upperBound > 0 ? tokens[indices.upperBound - 1].range.upperBound : 0
    return indices.isEmpty ? end..<end : tokens[indices.lowerBound].range.lowerBound..<end
  }

  /// Returns the text of tokens as written, including whitespace and comments between them.
  package func text(of indices: Range<Int>) -> String { slice(bytes(of: indices)) }

  /// Returns the text of tokens, with every `Self` replaced by a type's name.
  package func text(of indices: Range<Int>, withSelf name: String) -> String {
    var text = ""
    var end = bytes(of: indices).lowerBound
    for token in tokens[indices] {
      text += slice(end..<token.range.lowerBound) + (token.text == "Self" ? name : token.text)
      end = token.range.upperBound
    }
    return text
  }

  /// Returns the first paragraph of the documentation comment before a token, as one line; nil if there is none.
  package func documentation(before index: Int) -> String? {
    let start = index > 0 ? tokens[index - 1].range.upperBound : 0
    let lines = slice(start..<tokens[index].range.lowerBound).split(whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
    let comment = lines.reversed().prefix { $0.hasPrefix("///") }.reversed().map { $0.dropFirst(3) }
    let paragraph = comment.drop { $0.allSatisfy(\.isWhitespace) }.prefix { !$0.allSatisfy(\.isWhitespace) }
    let text = paragraph.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// Returns the value of a single-line string literal; nil for other expressions, and for literals with
  /// interpolations.
  package func plainString(_ indices: Range<Int>) -> String? {
    indices.count == 1 ? tokens[indices.lowerBound].plainString : nil
  }

  private func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

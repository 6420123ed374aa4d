import FlagSyntax

/// A parser of the tokens of a declaration.
///
/// The parts that all declarations share are parsed here; extensions parse structs and properties.
struct DeclarationParser {
  let source: SourceText
  var index: Int
  let end: Int

  init(_ source: SourceText, in indices: Range<Int>? = nil) {
    self.source = source
    index = indices?.lowerBound ?? 0
    end = indices?.upperBound ?? source.tokens.count
  }

  var next: SwiftToken? { index < end ? source.tokens[index] : nil }

  mutating func skip(_ text: String) -> Bool {
    guard next?.text == text else { return false }
    index += 1
    return true
  }

  /// Skips a token, or everything up to the matching bracket.
  mutating func skipBalanced() { index = source.index(after: index) }

  /// Returns a problem at the next token, or after the last one.
  func problem(_ kind: Problem.Kind, fixIt: Problem.FixIt? = nil) -> Problem {
    Problem(kind, at: next?.range ?? source.bytes(of: end..<end), fixIt: fixIt)
  }

  // MARK: Attributes and modifiers

  mutating func parseAttributes() -> [Attribute] {
    var attributes: [Attribute] = []
    while next?.text == "@" {
      let attribute = source.attribute(at: index, before: end)
      index = attribute.indices.upperBound
      attributes.append(attribute)
    }
    return attributes
  }

  mutating func parseModifiers() -> [Modifier] {
    var modifiers: [Modifier] = []
    while let token = next, Self.modifiers.contains(token.text) {
      let start = index
      index += 1
      if next?.text == "(" { skipBalanced() }
      modifiers.append(Modifier(text: source.text(of: start..<index), range: token.range))
    }
    return modifiers
  }

  static let modifiers: Set = [
    "private", "fileprivate", "internal", "package", "public", "open", "static", "final", "lazy", "override", "weak",
    "unowned", "dynamic", "optional", "required", "convenience", "mutating", "nonmutating", "consuming", "borrowing",
    "nonisolated", "isolated", "distributed", "indirect", "prefix", "postfix", "infix",
  ]
}

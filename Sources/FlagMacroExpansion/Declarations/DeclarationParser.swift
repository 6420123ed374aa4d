/// Walks over the tokens of a declaration.
///
/// What every declaration has in common is read here; extensions read structs and properties.
struct DeclarationParser {
  let source: SourceText
  var index: Int
  let end: Int

  init(_ source: SourceText, in indices: Range<Int>? = nil) {
    self.source = source
    index = indices?.lowerBound ?? 0
    end = indices?.upperBound ?? source.tokens.count
  }
}

extension DeclarationParser {
  /// The token at the index, or nil at the end.
  var next: Token? { index < end ? source.tokens[index] : nil }

  /// Moves over a token if it has this text.
  mutating func skip(_ text: String) -> Bool {
    guard next?.text == text else { return false }
    index += 1
    return true
  }

  /// Moves over a token, and over everything up to its partner if it is a bracket.
  mutating func skipBalanced() { index = source.index(after: index) }

  /// A problem at the next token, or after the last.
  func problem(_ kind: Problem.Kind, fixIt: Problem.FixIt? = nil) -> Problem {
    Problem(kind, at: next?.range ?? source.bytes(of: end..<end), fixIt: fixIt)
  }
}

// MARK: Attributes and modifiers

extension DeclarationParser {
  mutating func parseAttributes() -> [Attribute] {
    var attributes: [Attribute] = []
    while next?.text == "@" { attributes.append(parseAttribute()) }
    return attributes
  }

  private mutating func parseAttribute() -> Attribute {
    let start = index
    index += 1
    var name = ""
    repeat {
      name = next?.text ?? ""
      index = min(index + 1, end)
    } while skip(".")
    index = source.indexAfterGenericArguments(at: index, before: end) ?? index
    let arguments = next?.text == "(" ? parseArguments(in: source.inside(index)) : []
    if next?.text == "(" { skipBalanced() }
    return Attribute(name: name, indices: start..<index, arguments: arguments)
  }

  private func parseArguments(in indices: Range<Int>) -> [Attribute.Argument] {
    source.elements(in: indices).map { element in
      let isLabeled =
        element.count > 1 && source.tokens[element.lowerBound].kind == .word
        && source.tokens[element.lowerBound + 1].text == ":"
      return Attribute.Argument(
        label: isLabeled ? source.tokens[element.lowerBound].text : nil,
        value: element.dropFirst(isLabeled ? 2 : 0))
    }
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

  private static let modifiers: Set = [
    "private", "fileprivate", "internal", "package", "public", "open", "static", "final", "lazy", "override", "weak",
    "unowned", "dynamic", "optional", "required", "convenience", "mutating", "nonmutating", "consuming", "borrowing",
    "nonisolated", "isolated", "distributed", "indirect", "prefix", "postfix", "infix",
  ]
}

import FlagSyntax

extension SourceText {
  /// Returns the type that can be inferred from an expression's tokens, or nil.
  ///
  /// The type of a member, such as `Links.home`, cannot be inferred: it may be any type.
  func type(ofValue indices: Range<Int>) -> String? {
    if let cast = firstIndex(in: indices, where: { $0 == "as" }) { return castType(indices, at: cast) }
    return literalType(indices) ?? arithmeticType(indices) ?? initializedType(indices)
  }

  /// Returns the type that an expression is a member of, or nil; often, but not always, it is the expression's type.
  func typeOfMember(_ indices: Range<Int>) -> String? {
    guard let first = indices.first else { return nil }
    let end = typeEnd(from: first, in: indices)
    return end > first && suffixes(after: end, in: indices).first == "." ? text(of: first..<end) : nil
  }

  func isOptional(_ type: Range<Int>) -> Bool {
    guard let last = type.last else { return false }
    return ["?", "!"].contains(tokens[last].text)
      || tokens[type.lowerBound].text == "Optional"
        && indexAfterGenericArguments(at: type.lowerBound + 1, before: type.upperBound) == type.upperBound
  }

  private func castType(_ indices: Range<Int>, at index: Int) -> String? {
    let type = index + 1..<indices.upperBound
    guard let first = type.first, tokens[first].text != "?", tokens[first].text != "!" else { return nil }
    return text(of: type)
  }

  // MARK: Literals

  private func literalType(_ indices: Range<Int>) -> String? {
    guard let first = indices.first else { return nil }
    if indices.count == 2, tokens[first].text == "-", tokens[first + 1].kind == .number {
      return literalType(first + 1..<first + 2)
    }
    guard index(after: first) == indices.upperBound else { return nil }
    switch tokens[first].kind {
    case .string: return "String"
    case .number: return numberType(tokens[first].text)
    case .word: return ["true", "false"].contains(tokens[first].text) ? "Bool" : nil
    case .opening: return bracketType(tokens[first].text, inside(first))
    default: return nil
    }
  }

  private func numberType(_ text: String) -> String {
    let fractions: [Character] = text.hasPrefix("0x") ? [".", "p", "P"] : [".", "e", "E"]
    let isWhole = ["0b", "0o"].contains(text.prefix(2)) || !text.contains(where: fractions.contains)
    return isWhole ? "Int" : "Double"
  }

  private func bracketType(_ bracket: String, _ indices: Range<Int>) -> String? {
    switch bracket {
    case "(": type(ofValue: indices)
    case "[": firstIndex(in: indices) { $0 == ":" } == nil ? arrayType(indices) : dictionaryType(indices)
    default: nil
    }
  }

  private func arrayType(_ indices: Range<Int>) -> String? {
    commonType(elements(in: indices)).map { "[\($0)]" }
  }

  private func dictionaryType(_ indices: Range<Int>) -> String? {
    var keys: [Range<Int>] = []
    var values: [Range<Int>] = []
    for element in elements(in: indices) {
      guard let colon = firstIndex(in: element, where: { $0 == ":" }) else { return nil }
      keys.append(element.lowerBound..<colon)
      values.append(colon + 1..<element.upperBound)
    }
    guard let key = commonType(keys), let value = commonType(values) else { return nil }
    return "[\(key): \(value)]"
  }

  private func arithmeticType(_ indices: Range<Int>) -> String? {
    let operators: Set = ["+", "-", "*", "/", "%"]
    guard let index = firstIndex(in: indices.dropFirst(), where: operators.contains) else { return nil }
    return commonType([indices.lowerBound..<index, index + 1..<indices.upperBound])
  }

  /// Returns the common type of expressions, or nil if they differ; whole numbers among fractions are fractions.
  private func commonType(_ expressions: [Range<Int>]) -> String? {
    let types = Set(expressions.map(type(ofValue:)))
    if types == ["Int", "Double"] { return "Double" }
    return types.count == 1 ? types.first ?? nil : nil
  }

  // MARK: Initializers

  private func initializedType(_ indices: Range<Int>) -> String? {
    guard let first = indices.first else { return nil }
    let isList = tokens[first].text == "["
    let end = isList ? index(after: first) : typeEnd(from: first, in: indices)
    guard end > first, suffixes(after: end, in: indices) == ["("] else { return nil }
    let type = text(of: first..<end)
    return Self.genericTypes.contains(type) ? nil : type
  }

  /// The standard library's generic types whose arguments a value may leave out.
  private static let genericTypes: Set = [
    "Array", "ArraySlice", "ContiguousArray", "ClosedRange", "Dictionary", "Optional", "Range", "Result", "Set",
  ]

  /// Returns the first token of each suffix of an operand: a point for a member, or an opening bracket.
  private func suffixes(after start: Int, in indices: Range<Int>) -> [String] {
    var suffixes: [String] = []
    var index = start
    while index < indices.upperBound {
      suffixes.append(tokens[index].text)
      index = tokens[index].text == "." ? index + 2 : self.index(after: index)
    }
    return suffixes
  }

  /// Returns the index after a path of capitalized names, each with its generic arguments.
  private func typeEnd(from start: Int, in indices: Range<Int>) -> Int {
    var end = start
    var next = start
    while next < indices.upperBound, tokens[next].kind == .word, tokens[next].text.first?.isUppercase == true {
      end = indexAfterGenericArguments(at: next + 1, before: indices.upperBound) ?? next + 1
      guard end < indices.upperBound, tokens[end].text == "." else { break }
      next = end + 1
    }
    return end
  }
}

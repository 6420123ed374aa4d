extension SourceText {
  /// Returns the type that can be read off an expression, or nil.
  func type(ofValue indices: Range<Int>) -> String? {
    if let cast = firstIndex(in: indices, where: { $0 == "as" }) { return castType(indices, at: cast) }
    return literalType(indices) ?? arithmeticType(indices) ?? memberType(indices)
  }

  private func castType(_ indices: Range<Int>, at index: Int) -> String? {
    let type = index + 1..<indices.upperBound
    guard let first = type.first, tokens[first].text != "?", tokens[first].text != "!" else { return nil }
    return text(of: type)
  }
}

// MARK: Literals

extension SourceText {
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

  /// Returns the type of all expressions, or nil where they differ; whole numbers among fractions are fractions.
  private func commonType(_ expressions: [Range<Int>]) -> String? {
    let types = Set(expressions.map(type(ofValue:)))
    if types == ["Int", "Double"] { return "Double" }
    return types.count == 1 ? types.first ?? nil : nil
  }
}

// MARK: Members and initializers

extension SourceText {
  /// Returns the type of `Type.member`, `Type.member(…)`, `Type(…)` or `[Type](…)`, or nil.
  private func memberType(_ indices: Range<Int>) -> String? {
    guard let first = indices.first else { return nil }
    let isList = tokens[first].text == "["
    let end = isList ? index(after: first) : typeEnd(from: first, in: indices)
    let suffixes = suffixes(after: end, in: indices)
    let isRead = isList ? suffixes == ["("] : [["."], ["("], [".", "("]].contains(suffixes)
    return isRead && end > first ? text(of: first..<end) : nil
  }

  /// Returns how each part of an expression starts that follows an operand: by a point for a member, by a bracket.
  private func suffixes(after start: Int, in indices: Range<Int>) -> [String] {
    var suffixes: [String] = []
    var index = start
    while index < indices.upperBound {
      suffixes.append(tokens[index].text)
      index = tokens[index].text == "." ? index + 2 : self.index(after: index)
    }
    return suffixes
  }

  /// Returns the index after a path of capitalised names, each with its generic arguments.
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

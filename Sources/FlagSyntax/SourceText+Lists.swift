extension SourceText {
  /// Returns the elements of a list, which commas part; commas of brackets and of generic arguments part nothing.
  package func elements(in indices: Range<Int>) -> [Range<Int>] {
    var elements: [Range<Int>] = []
    var start = indices.lowerBound
    while start < indices.upperBound {
      let end = firstIndex(in: start..<indices.upperBound) { $0 == "," } ?? indices.upperBound
      if start < end { elements.append(start..<end) }
      start = end + 1
    }
    return elements
  }

  /// Returns the index of the first token whose text meets a condition and that is in no bracket inside the
  /// indices, and in no generic arguments.
  package func firstIndex(in indices: Range<Int>, where isMatch: (String) -> Bool) -> Int? {
    var index = indices.lowerBound
    while index < indices.upperBound {
      if isMatch(tokens[index].text) { return index }
      index = indexAfterGenericArguments(at: index, before: indices.upperBound) ?? self.index(after: index)
    }
    return nil
  }

  /// Returns the index after generic arguments, or nil where none start.
  ///
  /// A less-than sign starts them where it touches the word before it and its partner comes after nothing but types.
  /// Types of more than 200 tokens are not looked through, so that many signs without a partner stay linear.
  package func indexAfterGenericArguments(at start: Int, before limit: Int) -> Int? {
    guard start > 0, start < limit, tokens[start].text == "<", tokens[start - 1].kind == .word,
      tokens[start - 1].range.upperBound == tokens[start].range.lowerBound
    else { return nil }
    var depth = 0
    var index = start
    let limit = min(limit, start + 200)
    while index < limit, tokens[index].mayStandInType {
      depth += tokens[index].text == "<" ? 1 : tokens[index].text == ">" ? -1 : 0
      index = self.index(after: index)
      if depth == 0 { return index }
    }
    return nil
  }
}

extension SwiftToken {
  fileprivate var mayStandInType: Bool {
    switch kind {
    case .word, .number: true
    case .opening: text != "{"
    case .sign: ["<", ">", ".", ",", "?", "!", "&", ":", "->", "@", "~"].contains(text)
    default: false
    }
  }
}

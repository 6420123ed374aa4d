extension SourceText {
  /// Returns the comma-separated elements of a list; commas inside brackets and generic arguments do not separate.
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

  /// Returns the index of the first token that satisfies a predicate, outside nested brackets and generic arguments.
  package func firstIndex(in indices: Range<Int>, where isMatch: (String) -> Bool) -> Int? {
    var index = indices.lowerBound
    while index < indices.upperBound {
      if isMatch(tokens[index].text) { return index }
      index = indexAfterGenericArguments(at: index, before: indices.upperBound) ?? self.index(after: index)
    }
    return nil
  }

  /// Returns the index after generic arguments, or nil if none start at the index.
  ///
  /// A less-than sign starts them if it touches the word before it, and only types precede the matching sign. At most
  /// 200 tokens are searched, so that many unmatched signs still take linear time.
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

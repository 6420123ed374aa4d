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

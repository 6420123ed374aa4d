extension String {
  /// The text without the indentation that all lines after the first have in common, for values taken out of a text.
  package var unindented: String {
    let count = margin.count
    let lines = self.lines.map { String(decoding: $0, as: UTF8.self) }
    guard count > 0 else { return self }
    return ([lines[0]] + lines.dropFirst().map { String($0.utf8.dropFirst(count)) ?? $0 }).joined(separator: "\n")
  }

  /// Returns the text with the indentation of another text after each line feed.
  package func indented(like other: String) -> String {
    let margin = String(decoding: other.margin, as: UTF8.self)
    return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n" + margin)
  }

  private var lines: [Substring.UTF8View] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The spaces and tabs that all lines after the first begin with.
  private var margin: Substring.UTF8View {
    let lines = lines.dropFirst()
    guard var margin = lines.first?.prefix(while: { [0x20, 0x09].contains($0) }) else { return ""[...].utf8 }
    for line in lines { margin = margin.prefix(zip(margin, line).prefix { $0 == $1 }.count) }
    return margin
  }
}

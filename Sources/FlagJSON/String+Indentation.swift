extension String {
  /// The text without the indentation that all lines after the first have in common, for values taken out of a text.
  package var unindented: String {
    let lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard var margin = lines.dropFirst().first?.prefix(while: Self.isBlank) else { return self }
    for line in lines.dropFirst() {
      let common = zip(margin, line).prefix { $0 == $1 }.count
      margin = margin.prefix(common)
    }
    let bytes = lines[0] + lines.dropFirst().flatMap { [UInt8(ascii: "\n")] + $0.dropFirst(margin.count) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

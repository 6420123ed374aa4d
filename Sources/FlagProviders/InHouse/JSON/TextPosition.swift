/// A place in a text, as people count: the first line is 1, and so is the first character of a line.
public struct TextPosition: Hashable, Sendable {
  /// The number of the line.
  public let line: Int
  /// The number of the character in its line.
  public let column: Int
}

extension TextPosition {
  /// Creates the position of a byte.
  init(of offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    line = before.count { $0 == 0x0a } + 1
    let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    // Bytes that continue a character are not counted.
    column = bytes[lineStart..<before.endIndex].count { $0 & 0xc0 != 0x80 } + 1
  }
}

/// A place in a text, as people count: the first line is 1, and so is the first character of a line.
public struct TextPosition: Hashable, Comparable, Sendable {
  /// The number of the line.
  public let line: Int
  /// The number of the character in its line.
  public let column: Int

  /// Returns whether the first position comes before the second.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A location in a text.
///
/// Lines and characters are counted from 1.
///
/// Lines end with a line feed. Each code point is a character, except a byte order mark.
package struct JSONSourceLocation: Hashable, Sendable {
  package let line: Int
  /// The number of the character in its line.
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension JSONSourceLocation: Comparable {
  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

extension JSONSourceLocation: CustomStringConvertible {
  package var description: String { "line \(line), column \(column)" }
}

extension JSONSourceLocation {
  /// Finds the location of a byte.
  package init(of offset: Int, in text: some Collection<UInt8>) { self = Self.locations(of: [offset], in: text)[0] }

  /// Returns the locations of many bytes, in the order of their offsets as given, found in one pass over the text.
  ///
  /// An offset beyond the end of the text counts as the end.
  package static func locations(of offsets: [Int], in text: some Collection<UInt8>) -> [JSONSourceLocation] {
    var locations = Array(repeating: JSONSourceLocation(line: 1, column: 1), count: offsets.count)
    JSONText.withText(of: text) { text in
      var (offset, line, column) = (text.start, 1, 1)
      for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
        while offset < min(offsets[index], text.count) {
          let byte = text.byte(at: offset)
          if byte == UInt8(ascii: "\n") {
            (line, column) = (line + 1, 1)
          } else if byte & 0xc0 != 0x80 {  // the other bytes of a character do not count
            column += 1
          }
          offset += 1
        }
        locations[index] = JSONSourceLocation(line: line, column: column)
      }
    }
    return locations
  }
}

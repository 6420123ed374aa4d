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
    var cursor = Cursor()
    JSONText.withText(of: text) { text in
      cursor.offset = text.start
      for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
        cursor.move(to: min(offsets[index], text.count), in: text)
        locations[index] = JSONSourceLocation(line: cursor.line, column: cursor.column)
      }
    }
    return locations
  }

  /// A position that counts lines and columns while it moves through a text.
  private struct Cursor {
    var offset = 0
    var line = 1
    var column = 1

    mutating func move(to end: Int, in text: JSONText) {
      while offset < end {
        let byte = text.byte(at: offset)
        if byte == UInt8(ascii: "\n") {
          line += 1
          column = 1
        } else if byte & 0xc0 != 0x80 {  // the other bytes of a character do not count
          column += 1
        }
        offset += 1
      }
    }
  }
}

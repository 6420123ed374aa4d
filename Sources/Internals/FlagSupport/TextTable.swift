/// A table of text, with columns as wide as their widest cell; what nobody sees in a cell is escaped.
package struct TextTable {
  /// The alignment of the cells after the first one in their columns.
  package enum Alignment { case left, right }

  /// The lines, without trailing spaces.
  package let lines: [String]

  /// Creates a table of rows with equal numbers of cells.
  package init(_ rows: [[String]], _ alignment: Alignment = .left, indentedBy indent: Int = 0) {
    let rows = rows.map { $0.map { $0.escapingHidden() } }
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    lines = rows.map { row in
      let cells = row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return column > 0 && alignment == .right ? space + row[column] : row[column] + space
      }
      var line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The lines, each followed by a line feed.
  package var text: String { lines.text }
}

extension Sequence<String> {
  /// The lines, each followed by a line feed; what nobody sees in one is escaped, so that it stays one line.
  package var text: String { map { $0.escapingHidden() + "\n" }.joined() }
}

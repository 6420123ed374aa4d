import FlagDomain

/// Lines with columns that are as wide as what they hold.
struct TextTable {
  /// The lines, each of as many cells.
  let lines: [[String]]

  var text: String {
    let columns = lines[0].indices
    let widths = columns.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      var text = columns.map { line[$0] + String(repeating: " ", count: widths[$0] - line[$0].count) }
        .joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }.joined()
  }
}

extension String {
  /// The text as it is shown of what others wrote: no more than the beginning, in one line, and with nothing in it that
  /// a terminal obeys.
  var printable: String {
    excerpt.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: String(scalar)
      }
    }.joined()
  }
}

import FlagDomain

extension String {
  /// The text for output if it comes from others: shortened, on one line, and without control characters for a
  /// terminal.
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

import FlagDomain

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

extension String {
  /// The text without spaces at its ends.
  package var trimmingSpaces: String {
    let text = drop(while: \.isWhitespace)
    return String(text.prefix(text.count - text.reversed().prefix(while: \.isWhitespace).count))
  }
}

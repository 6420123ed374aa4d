extension String {
  /// The text as messages repeat it: its first 100 Unicode scalars, and an ellipsis if there are more.
  package var excerpt: String {
    let beginning = unicodeScalars.prefix(Self.excerptLength)
    return beginning.endIndex == endIndex ? self : "\(String(beginning))…"
  }

  /// How many Unicode scalars of a text messages repeat.
  package static let excerptLength = 100
}

extension String {
  /// The text as messages quote it: its first 100 Unicode scalars, and an ellipsis if there are more.
  package var excerpt: String {
    let beginning = unicodeScalars.prefix(Self.excerptLength)
    return beginning.endIndex == endIndex ? self : "\(String(beginning))…"
  }

  /// The maximum number of Unicode scalars that messages quote.
  package static let excerptLength = 100
}

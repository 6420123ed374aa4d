import FlagDomain

extension DocumentPath: CustomStringConvertible {
  /// The path as text: `$` for the outermost value, `.name` for a member, `[index]` for an element.
  ///
  /// If the path has many steps, or long ones, those in the middle are left out.
  package var description: String {
    let steps = steps
    let beginning = steps.count > 64 ? 48 : steps.count
    var text = "$"
    var shown = 0
    while shown < beginning, text.utf8.count < 1_000 {
      text += steps[shown].description
      shown += 1
    }
    if shown == steps.count { return text }
    return steps[max(shown, steps.count - 8)...].reduce(into: text + "…") { $0 += $1.description }
  }
}

extension DocumentPath.Step: CustomStringConvertible {
  /// The step as text; a name with special characters is in brackets and quotation marks, a long one is shortened.
  package var description: String {
    switch self {
    case .element(let index): "[\(index)]"
    case .member(let name):
      // Only the part that is shown is examined: a name can be as long as a document.
      name.isEmpty || !name.unicodeScalars.prefix(String.excerptLength).allSatisfy(\.isPlain)
        ? "[\(name.excerpt.jsonLiteral)]" : ".\(name.excerpt)"
    }
  }
}

extension String {
  /// The text in quotation marks, as JSON writes it.
  package var jsonLiteral: String {
    var literal: [UInt8] = []
    literal.appendJSON(self)
    return String(decoding: literal, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "$": true
    default: !isASCII && properties.isAlphabetic
    }
  }
}

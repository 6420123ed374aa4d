extension SourceText {
  /// Throws where an attribute has no description, or an empty one.
  func checkDescription(of attribute: Attribute, named subject: String) throws(Problem) {
    guard let description = attribute.description else {
      throw Problem(.noDescription(of: subject), at: bytes(of: attribute.indices), fixIt: description(for: attribute))
    }
    guard plainString(description.value)?.allSatisfy(\.isWhitespace) != true else {
      throw Problem(.noDescription(of: subject), at: bytes(of: description.value))
    }
  }

  private func description(for attribute: Attribute) -> Problem.FixIt? {
    guard attribute.arguments.isEmpty, tokens[attribute.indices.upperBound - 1].text != ")" else { return nil }
    let end = bytes(of: attribute.indices).upperBound
    return Problem.FixIt(
      message: "add a description", range: end..<end, replacement: "(\"<#What it is for.#>\")")
  }

  /// Returns the arguments of an attribute that make metadata, as they were written.
  func metadata(of attribute: Attribute, in set: String) -> String {
    let described = attribute.description.map { [Attribute.Argument(label: nil, value: $0.value)] } ?? []
    let labeled = attribute.arguments.filter { $0.label.map { !Self.others.contains($0) } ?? false }
    return (described + labeled)
      .map { ($0.label.map { "\($0): " } ?? "") + text(of: $0.value, withSelf: set) }
      .joined(separator: ", ")
  }

  /// Labels of arguments that are no metadata.
  private static let others: Set = ["key", "style", "computed"]
}

extension Attribute {
  /// The sentence that says what the flag, group or set is for, or nil: the last argument without a label, and of a
  /// set the second.
  fileprivate var description: Argument? {
    let unlabeled = arguments.filter { $0.label == nil }
    return name == "FlagSet" ? unlabeled.dropFirst().first : unlabeled.first
  }
}

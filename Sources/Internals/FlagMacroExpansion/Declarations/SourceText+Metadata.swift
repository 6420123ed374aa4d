import FlagSyntax

extension SourceText {
  /// Checks that an attribute has a description that is not blank, or a documentation comment before it.
  func checkDescription(of attribute: Attribute, named subject: String) throws(Problem) {
    guard let description = attribute.description else {
      if documentation(before: attribute.indices.lowerBound) != nil { return }
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

  func metadata(of attribute: Attribute, in set: String) -> String {
    let labeled = attribute.labeledMetadata
      .map { ($0.label.map { "\($0): " } ?? "") + text(of: $0.value, withSelf: set) }
    return ([description(of: attribute, in: set)].compactMap { $0 } + labeled).joined(separator: ", ")
  }

  /// Returns the description as code: the argument, or else the documentation comment; nil if there is neither.
  private func description(of attribute: Attribute, in set: String) -> String? {
    if let description = attribute.description { return text(of: description.value, withSelf: set) }
    return documentation(before: attribute.indices.lowerBound).map { comment in
      "\"" + comment.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
  }

  /// Returns a documentation comment with the description of an attribute; none if it has no plain one.
  func documentation(of attribute: Attribute) -> [String] {
    let plain = attribute.description.flatMap { plainString($0.value) }
    guard let text = plain ?? documentation(before: attribute.indices.lowerBound) else { return [] }
    return ["/// " + text.split(whereSeparator: \.isNewline).joined(separator: " ")]
  }

  /// Returns the description of an attribute as code, or nil if the attribute has other metadata.
  func onlyDescription(of attribute: Attribute, in set: String) -> String? {
    attribute.labeledMetadata.isEmpty ? description(of: attribute, in: set) : nil
  }
}

extension Attribute {
  fileprivate var labeledMetadata: [Argument] {
    arguments.filter { $0.label.map { !Self.others.contains($0) } ?? false }
  }

  private static let others: Set = ["key", "style", "default", "computed", "fallback"]

  /// The description of the flag, group or set, or nil: the first argument without a label, and of a set the second.
  fileprivate var description: Argument? {
    let unlabeled = arguments.filter { $0.label == nil }
    return name == "FlagSet" ? unlabeled.dropFirst().first : unlabeled.first
  }
}

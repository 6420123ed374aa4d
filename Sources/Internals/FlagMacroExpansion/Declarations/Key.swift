import FlagSyntax

/// The key of a flag, a group or a set, as written.
struct Key: Equatable {
  /// The text of the literal, or the expression of the app's own name for the key.
  var text: String
  /// The code of the key.
  var code: String
  /// Whether the key is the app's own name for it, such as a case of an enum, whose text is unknown here.
  var isName = false
  var range: Range<Int>

  /// The part that equal keys share.
  var identity: String { isName ? code : text }
}

extension SourceText {
  /// Returns the literal key that an attribute gives, or nil; throws if it is not a valid literal.
  func key(of attribute: Attribute, mayBeEmpty: Bool = false) throws(Problem) -> Key? {
    guard let argument = attribute["key"] else { return nil }
    return try key(of: argument.value, mayBeEmpty: mayBeEmpty, orElse: .keyNotLiteral)
  }

  /// Returns the key of a flag, which may also be a member of a type: the app's own name for the key.
  func flagKey(of attribute: Attribute, in set: String) throws(Problem) -> Key? {
    guard let value = attribute["key"]?.value, isMember(value) else { return try key(of: attribute) }
    let name = text(of: value, withSelf: set)
    return Key(text: name, code: "FlagDomain.FlagKey(\(name))", isName: true, range: bytes(of: value))
  }

  /// Returns the key that an expression gives; throws if it is not a valid literal.
  func key(of value: Range<Int>, mayBeEmpty: Bool, orElse kind: Problem.Kind) throws(Problem) -> Key {
    let range = bytes(of: value)
    guard let text = plainString(value) else { throw Problem(kind, at: range) }
    guard Self.isKey(text) || mayBeEmpty && text.isEmpty else { throw Problem(.invalidKey(text), at: range) }
    return Key(text: text, code: self.text(of: value), range: range)
  }

  /// Returns whether an expression is names joined by dots, such as `AppKey.search`.
  private func isMember(_ value: Range<Int>) -> Bool {
    value.count > 2 && value.count % 2 == 1
      && value.allSatisfy { index in
        (index - value.lowerBound) % 2 == 0 ? tokens[index].kind == .word : tokens[index].text == "."
      }
  }

  /// Returns whether a text is a valid key, by a copy of the domain's rule, which the plugin cannot call.
  private static func isKey(_ text: String) -> Bool {
    (1...1024).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
  }
}

extension String {
  /// The key component that the domain makes from a name by default; the plugin cannot call the domain.
  var kebabCase: String {
    let letters = Array(self)
    var words = ""
    for (index, letter) in letters.enumerated() {
      let previous = index > 0 ? letters[index - 1] : "A"
      let isBeforeWord = index + 1 < letters.count && letters[index + 1].isLowercase
      let startsWord = previous.isLowercase || previous.isNumber || isBeforeWord && previous.isUppercase
      if index > 0, letter.isUppercase, startsWord { words.append("-") }
      words += letter.lowercased()
    }
    return words
  }
}

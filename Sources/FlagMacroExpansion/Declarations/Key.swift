import FlagSyntax

struct Key: Equatable {
  var text: String
  var literal: String
  var range: Range<Int>
}

extension SourceText {
  /// Returns the key that an attribute gives, or nil; throws if it is not a valid literal.
  func key(of attribute: Attribute, mayBeEmpty: Bool = false) throws(Problem) -> Key? {
    guard let argument = attribute["key"] else { return nil }
    return try key(of: argument.value, mayBeEmpty: mayBeEmpty, orElse: .keyNotLiteral)
  }

  /// Returns the key that an expression gives; throws if it is not a valid literal.
  func key(of value: Range<Int>, mayBeEmpty: Bool, orElse kind: Problem.Kind) throws(Problem) -> Key {
    let range = bytes(of: value)
    guard let text = plainString(value) else { throw Problem(kind, at: range) }
    guard Self.isKey(text) || mayBeEmpty && text.isEmpty else { throw Problem(.invalidKey(text), at: range) }
    return Key(text: text, literal: self.text(of: value), range: range)
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

/// How property and group names become the components of a key.
public struct KeyStyle: Sendable {
  /// A first component, used as it stands; nil for none.
  public var prefix: String?
  /// What joins the components.
  public var separator: String
  /// What a property's or group's name becomes.
  public var transform: Transform

  /// Creates a style; the default joins kebab-case names by dots.
  public init(prefix: String? = nil, separator: String = ".", transform: Transform = .kebabCase) {
    self.prefix = prefix
    self.separator = separator
    self.transform = transform
  }
}

extension KeyStyle {
  /// What a name becomes in a key.
  public enum Transform: Sendable {
    /// The name as it stands.
    case none
    /// Lower-case words joined by hyphens.
    case kebabCase
    /// Lower-case words joined by underscores.
    case snakeCase
    /// Whatever a function makes of the name.
    case custom(@Sendable (String) -> String)
  }

  /// Returns the key component that a property's or group's name becomes.
  public func component(for name: String) -> String {
    switch transform {
    case .none: name
    case .kebabCase: name.words.joined(separator: "-").lowercased()
    case .snakeCase: name.words.joined(separator: "_").lowercased()
    case .custom(let transform): transform(name)
    }
  }

  /// Returns the name of a key that consists of components under the prefix.
  public func name(of components: [String]) -> String {
    ((prefix.map { [$0] } ?? []) + components).joined(separator: separator)
  }
}

extension String {
  /// The words of a camel-case name, their letters as they stand.
  ///
  /// A word starts at an upper-case letter that follows a lower-case letter or a digit, and before the last
  /// capital of an acronym: `useURLSession2` has the words `use`, `URL`, `Session2`.
  package var words: [String] {
    let letters = Array(self)
    var words: [String] = []
    for (index, letter) in letters.enumerated() {
      let previous = index > 0 ? letters[index - 1] : nil
      let next = index + 1 < letters.count ? letters[index + 1] : nil
      let startsWord =
        letter.isUppercase
        && (previous.map { $0.isLowercase || $0.isNumber } ?? true
          || previous?.isUppercase == true && next?.isLowercase == true)
      if startsWord || words.isEmpty { words.append("") }
      words[words.count - 1].append(letter)
    }
    return words
  }

  /// The camel-case name as a title for people: `newURLFormat` becomes `New URL Format`.
  package var title: String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}

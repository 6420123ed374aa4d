/// A style of keys: the way in which property and group names become the components of a key.
public struct KeyStyle: Sendable {
  /// A first component, used as it is; nil for none.
  public var prefix: String?
  /// The separator between components.
  public var separator: String
  /// The transform of the names of properties and groups.
  public var transform: Transform

  /// Creates a style; the default joins kebab-case names by dots.
  public init(prefix: String? = nil, separator: String = ".", transform: Transform = .kebabCase) {
    self.prefix = prefix
    self.separator = separator
    self.transform = transform
  }

  /// A transform of a name.
  public enum Transform: Sendable {
    /// The name as it is.
    case none
    /// Lower-case words joined by hyphens.
    case kebabCase
    /// Lower-case words joined by underscores.
    case snakeCase
    /// The result of a function.
    case custom(@Sendable (String) -> String)
  }

  /// Returns the key component for a property's or group's name.
  public func component(for name: String) -> String {
    switch transform {
    case .none: name
    case .kebabCase: name.words.joined(separator: "-").lowercased()
    case .snakeCase: name.words.joined(separator: "_").lowercased()
    case .custom(let transform): transform(name)
    }
  }

  /// Returns the name of the key for a path, under the prefix.
  public func name(of path: [_FlagPath.Component]) -> String { components(of: path).joined(separator: separator) }

  /// Returns the components of the key for a path, the prefix first.
  func components(of path: [_FlagPath.Component]) -> [String] {
    (prefix.map { [$0] } ?? [])
      + path.map { component in
        switch component {
        case .name(let name): self.component(for: name)
        case .verbatim(let text): text
        }
      }
  }

  /// Returns the key under which providers know a flag in this style.
  ///
  /// A flag that was declared with its whole key, and so has no path, keeps it.
  ///
  /// - Throws: An error that quotes the name, if the style produces one that is not a valid key.
  package func providerKey(of flag: some FeatureFlag) throws(FlagError) -> FlagKey {
    let path = flag.metadata.path
    guard !path.isEmpty else { return flag.key }
    let name = name(of: path)
    guard let key = FlagKey(validating: name) else {
      throw FlagError(
        .general, "expected a style of keys that makes valid ones, found \"\(name)\" for the flag", key: flag.key)
    }
    return key
  }
}

extension String {
  /// The words of a camel-case name, with their letters unchanged.
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

  /// The camel-case name as a title: `newURLFormat` becomes `New URL Format`.
  package var title: String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}

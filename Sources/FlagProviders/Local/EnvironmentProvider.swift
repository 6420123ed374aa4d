public import FlagDomain
public import FlagFoundation
import FlagJSON

/// A provider of the values in environment variables, which are strings.
///
/// A flag's variable has the key's name with capitals for the letters a to z, and an underscore for each code point but
/// the letters A to Z and digits: `feed.page-size` is `FEED_PAGE_SIZE`, and with the prefix `APP` it is
/// `APP_FEED_PAGE_SIZE`; `straße` is `STRA_E`. Keys that differ only in other characters or in case share a variable,
/// which is reported. Strings are converted exactly: `true` and `false` for
/// booleans, numerals for numbers, JSON for arrays and objects.
public struct EnvironmentProvider: FixedFlagProvider {
  /// The provider's name.
  public let name = "environment"
  private let variables: [String: String]
  private let prefix: String?

  /// Creates a provider for the variables of this process, or others.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of the variables' names, without the underscore that follows it; nil for no prefix.
  ///   - variables: The variables.
  public init(prefix: String? = nil, variables: [String: String] = ProcessInfo.processInfo.environment) {
    self.prefix = prefix
    self.variables = variables
  }

  /// Returns the name of a flag's variable.
  public func variableName(for key: FlagKey) -> String {
    let letters = key.name.unicodeScalars.map { scalar -> Character in
      switch scalar {
      case "A"..."Z", "0"..."9": Character(scalar)
      case "a"..."z": Character(Unicode.Scalar(UInt8(scalar.value) - 0x20))
      default: "_"
      }
    }
    return (prefix.map { $0 + "_" } ?? "") + String(letters)
  }

  /// Returns an error for each variable that several flags share, and for each one with the prefix that belongs to no
  /// flag; without a prefix, a variable may belong to another program.
  public func unknownEntries(besides keys: [FlagKey]) -> [FlagError] {
    let known = Dictionary(grouping: Set(keys), by: variableName)
    let shared = known.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { variable, keys in
      FlagError(
        .general,
        "\(variable.prefix(100)) is the variable of several flags: "
          + keys.sorted().prefix(10).map(\.name).joined(separator: ", "), provider: name)
    }
    guard let prefix else { return shared }
    let unknown = variables.keys.filter { $0.hasPrefix(prefix + "_") && known[$0] == nil }.sorted().map { variable in
      FlagError(.flagNotFound, "expected the variable of a flag, found \(variable.prefix(100))", provider: name)
    }
    return shared + unknown
  }

  /// Returns the string of a flag's variable.
  public func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    variables[variableName(for: key)].map { FlagAnswer(.string($0)) }
  }

  /// A function that parses arrays and objects as JSON.
  public var textReader: TextReader? { FlagValue.reading(json:) }
}

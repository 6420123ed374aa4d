public import FlagDomain
public import Foundation

/// A provider of the values in environment variables, which are text.
///
/// A flag's variable has the key's name in capitals, with a low line for everything but the letters A to Z and digits:
/// `feed.page-size` is `FEED_PAGE_SIZE`, and with the prefix `APP` it is `APP_FEED_PAGE_SIZE`. Keys that differ in
/// nothing else share a variable. Text is converted exactly: `true` and `false` for booleans, numerals for numbers, JSON
/// for lists and records.
public struct EnvironmentProvider: FlagProvider {
  /// The provider's name.
  public let name = "environment"
  private let variables: [String: String]
  private let prefix: String?

  /// Creates a provider over the variables of this process, or others.
  ///
  /// - Parameters:
  ///   - prefix: What the variables' names begin with, before a low line; nil for nothing.
  ///   - variables: The variables.
  public init(prefix: String? = nil, variables: [String: String] = ProcessInfo.processInfo.environment) {
    self.prefix = prefix
    self.variables = variables
  }
}

extension EnvironmentProvider {
  /// Returns the name of a flag's variable.
  public func variableName(for key: FlagKey) -> String {
    let letters = key.name.uppercased().unicodeScalars.map { scalar in
      ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
    }
    return (prefix.map { $0 + "_" } ?? "") + String(letters)
  }

  /// Returns the variables, which do not change.
  public func snapshot() -> any ProviderSnapshot { TextAnswers { variables[variableName(for: $0)] } }
}

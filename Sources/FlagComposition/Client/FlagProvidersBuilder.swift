public import FlagDomain

/// Lists providers, one a line.
@resultBuilder
public enum FlagProvidersBuilder: Sendable {
  /// Takes a provider.
  public static func buildExpression(_ provider: any FlagProvider) -> [any FlagProvider] { [provider] }
  /// Takes a list of providers.
  public static func buildExpression(_ providers: [any FlagProvider]) -> [any FlagProvider] { providers }
  /// Joins the lines.
  public static func buildBlock(_ providers: [any FlagProvider]...) -> [any FlagProvider] { Array(providers.joined()) }
  /// Joins the rounds of a loop.
  public static func buildArray(_ providers: [[any FlagProvider]]) -> [any FlagProvider] { Array(providers.joined()) }
  /// Takes the lines of a condition, if it holds.
  public static func buildOptional(_ providers: [any FlagProvider]?) -> [any FlagProvider] { providers ?? [] }
  /// Takes the lines of one branch.
  public static func buildEither(first providers: [any FlagProvider]) -> [any FlagProvider] { providers }
  /// Takes the lines of the other branch.
  public static func buildEither(second providers: [any FlagProvider]) -> [any FlagProvider] { providers }
}

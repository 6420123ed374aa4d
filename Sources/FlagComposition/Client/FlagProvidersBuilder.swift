public import FlagDomain

/// A result builder of providers, one per line.
@resultBuilder
public enum FlagProvidersBuilder: Sendable {
  /// Adds a provider.
  public static func buildExpression(_ provider: any FlagProvider) -> [any FlagProvider] { [provider] }
  /// Adds a list of providers.
  public static func buildExpression(_ providers: [any FlagProvider]) -> [any FlagProvider] { providers }
  /// Joins the lines.
  public static func buildBlock(_ providers: [any FlagProvider]...) -> [any FlagProvider] { Array(providers.joined()) }
  /// Joins the iterations of a loop.
  public static func buildArray(_ providers: [[any FlagProvider]]) -> [any FlagProvider] { Array(providers.joined()) }
  /// Returns the lines of a condition, if it holds.
  public static func buildOptional(_ providers: [any FlagProvider]?) -> [any FlagProvider] { providers ?? [] }
  /// Returns the lines of the first branch.
  public static func buildEither(first providers: [any FlagProvider]) -> [any FlagProvider] { providers }
  /// Returns the lines of the other branch.
  public static func buildEither(second providers: [any FlagProvider]) -> [any FlagProvider] { providers }
}

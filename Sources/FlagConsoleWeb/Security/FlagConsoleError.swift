/// Why the pages of a console cannot be served, or not where an app wants them.
public struct FlagConsoleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was expected and what was found, or what the system says.
  public let description: String
}

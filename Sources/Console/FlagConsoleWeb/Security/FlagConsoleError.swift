/// An error in serving the pages of a console, or in mounting them at a path and origin.
public struct FlagConsoleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected and the actual value, or the system's error message.
  public let description: String
  /// Whether it is for the port of a server.
  package var isOfPort = false
}

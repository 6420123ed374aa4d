public import FlagFoundation

/// The addresses of LaunchDarkly, or of a relay in its place.
public struct LaunchDarklyAddresses: Hashable, Sendable {
  /// The address to which the paths of requests are added.
  public var polling: URL
  /// The address to which the paths of streams are added.
  public var streaming: URL

  /// Creates addresses.
  public init(polling: URL, streaming: URL) { (self.polling, self.streaming) = (polling, streaming) }

  /// Creates the addresses of a relay, which answers requests and streams at the same one.
  public static func relay(_ url: URL) -> Self { Self(polling: url, streaming: url) }

  /// The addresses for servers.
  public static let server = Self(
    polling: address("https://sdk.launchdarkly.com"), streaming: address("https://stream.launchdarkly.com"))

  /// The addresses for apps.
  public static let app = Self(
    polling: address("https://clientsdk.launchdarkly.com"),
    streaming: address("https://clientstream.launchdarkly.com"))

  private static func address(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is an address") }
    return url
  }
}

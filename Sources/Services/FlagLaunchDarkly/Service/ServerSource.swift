import FlagDefinitions
import FlagDomain
import FlagFoundation
import FlagHTTP
import FlagRemote
import FlagServices

/// LaunchDarkly's flags and segments for servers: one document, requested as a whole, and kept up to date by a stream.
struct ServerSource: AnswerSource {
  let connections: LaunchDarklyConnections
  private let parts = FollowedParts(sections: ["flags", "segments"])

  init(_ connections: LaunchDarklyConnections) { self.connections = connections }

  var identity: [String] { ["launchdarkly", connections.polling.address.url.absoluteString] }
  var credentials: [String] { connections.polling.address.client }

  var streams: [EventSource] { [connections.stream("all")] }

  func disclosed(_ context: EvaluationContext) -> [String: FlagValue] { [:] }

  func fetch(
    _ fetch: Follower.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<StoredDefinitions> {
    defer { onEnd() }
    if let delivered = parts.text(from: connections.stream("all").url.absoluteString) {
      do throws(FlagError) {
        return .content(try content(of: delivered), FetchAnswer(sources: streams), body: delivered)
      } catch {
        parts.forget()
      }
    }
    let polling = connections.polling
    let request = polling.address.request(.get, polling.address.url.appending(path: "sdk/latest-all"), tag: fetch.tag)
    return await polling.fetch(request) { body throws(FlagError) in (try content(of: body), streams) }
  }

  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    await connections.follow(stream, into: parts, inactivity: inactivity, onEvent: onEvent)
  }

  func content(of body: [UInt8]) throws(FlagError) -> StoredDefinitions {
    do throws(FlagDocumentError) {
      return try StoredDefinitions(parsing: body, format: .launchDarkly)
    } catch {
      let problems = error.diagnostics.prefix(3).map(\.description).joined(separator: "; ")
      throw FlagError(.parseError, "expected flags and segments, found: \(problems)")
    }
  }
}

/// The connections for requests and for streams, which may be to different hosts.
struct LaunchDarklyConnections: Sendable {
  let polling: ServiceConnection
  let streaming: ServiceConnection

  /// Creates connections that send a key.
  init(
    key: String, _ addresses: LaunchDarklyAddresses, _ options: ServiceOptions, _ environment: ServiceEnvironment
  ) throws(FlagError) {
    var options = options
    options.credentials = options.credentials ?? .headers(["Authorization": key])
    polling = try ServiceConnection(addresses.polling, options, environment)
    streaming = try ServiceConnection(addresses.streaming, options, environment)
  }

  /// Returns the stream of a path; LaunchDarkly sends a heartbeat every few minutes.
  func stream(_ path: String) -> EventSource {
    EventSource(url: streaming.address.url.appending(path: path), inactivity: .seconds(300))
  }

  /// Follows a stream, whose events are applied to parts.
  func follow(
    _ stream: EventSource, into parts: FollowedParts, inactivity: Duration,
    onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure {
    let number = parts.begin(stream.url.absoluteString)
    defer { parts.forget(number) }
    return await streaming.follow(stream, inactivity: inactivity, onEvent: { _ in }) { event in
      if let change = parts.apply(event, of: number) { onEvent(change) }
      return nil
    }
  }
}

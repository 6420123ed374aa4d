import FlagDomain
import FlagGrowthBook
import FlagHTTP
import FlagProviders
import FlagRemote
import FlagServer
import Foundation

/// A stand-in of GrowthBook's API on loopback: a document with a tag, and a stream that it offers.
final class StandIn: Sendable {
  let server: HTTPServer
  fileprivate let content: Content
  private let feed = EventFeed()

  fileprivate final class Content: Sendable {
    struct State {
      var text: String
      var version = 1
      var requests: [String] = []
    }

    let state: Locked<State>
    let isStreaming: Bool

    init(_ text: String, isStreaming: Bool) {
      state = Locked(State(text: text))
      self.isStreaming = isStreaming
    }
  }

  init(_ text: String, isStreaming: Bool = true) throws {
    let content = Content(text, isStreaming: isStreaming)
    self.content = content
    server = try HTTPServer(
      Service([
        .init(.get, "/api/features/{key}", .immediate { .response(content.answer($0)) }),
        .init(
          .get, "/sub/{key}",
          .immediate { [feed] _ in
            content.state.withLock { $0.requests.append("sub") }
            return .events(feed)
          }),
      ]))
  }

  var host: URL {
    guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { preconditionFailure("an address") }
    return url
  }

  /// The requests so far: for the document, whole or unchanged, and for the stream.
  var requests: [String] { content.state.withLock { $0.requests } }

  /// Replaces the document, and announces it, as GrowthBook's proxy does: with the whole document.
  func set(_ text: String, isAnnounced: Bool = true) {
    content.state.withLock { ($0.text, $0.version) = (text, $0.version + 1) }
    if isAnnounced { feed.send(ServerSentEvent(type: "features", data: text)) }
  }

  func stop() async {
    feed.finish()
    await server.stop()
  }
}

extension StandIn.Content {
  fileprivate func answer(_ request: ServerRequest) -> HTTPResponse {
    state.withLock { state in
      let tag = "\"\(state.version)\""
      let isUnchanged = request.message.fields[.ifNoneMatch] == tag
      state.requests.append(isUnchanged ? "unchanged" : "features")
      var response = HTTPResponse(
        isUnchanged ? .notModified : .ok, fields: [.eTag: tag, .contentType: "application/json"],
        body: isUnchanged ? [] : Array(state.text.utf8))
      if isStreaming { response.fields[.sseSupport] = "enabled" }
      return response
    }
  }
}

import FlagDomain
import Foundation
import TestSupport

/// A server in LaunchDarkly's place, on loopback: documents with tags, and streams.
final class StandInServer: Sendable {
  private struct State {
    var document: FlagValue
    /// The events of a stream, after the one with the document.
    var events: [String] = []
    /// Whether a stream ends after its events.
    var endsStreams = false
    var fault: [ScriptedServer.Step]?
  }

  private final class Script: Sendable {
    let state: Locked<State>
    init(_ document: FlagValue) { state = Locked(State(document: document)) }
  }

  private let script: Script
  let server: ScriptedServer

  init(_ document: FlagValue) throws {
    let script = Script(document)
    self.script = script
    server = try ScriptedServer { _, request in script.state.withLock { Self.steps(for: request, $0) } }
  }

  deinit { server.stop() }

  var url: URL {
    guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { preconditionFailure("it is an address") }
    return url
  }

  /// Sets the document of further requests and streams, and the events that follow it on a stream.
  func serve(_ document: FlagValue, events: [String] = [], endsStreams: Bool = false) {
    script.state.withLock { state in
      (state.document, state.events, state.endsStreams) = (document, events, endsStreams)
      state.fault = nil
    }
  }

  /// Answers further requests with a fault.
  func fail(_ steps: [ScriptedServer.Step]) { script.state.withLock { $0.fault = steps } }

  /// The first lines of the requests, without the protocol.
  var lines: [String] {
    server.requests.map { String($0.prefix { $0 != "\r\n" }.replacing(" HTTP/1.1", with: "")) }
  }

  private static func steps(for request: String, _ state: State) -> [ScriptedServer.Step] {
    if let fault = state.fault { return fault }
    let isForApp = request.contains("/msdk/") || request.contains("/meval/")
    if request.hasPrefix("GET /all ") || request.hasPrefix("GET /meval/") {
      let data = isForApp ? "\(state.document)" : #"{"path": "/", "data": \#(state.document)}"#
      let events = ["event: put\ndata: \(data)\n\n"] + state.events
      // In chunks, each of which the SDK for Python takes at once.
      let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      let chunks = events.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
      return [.text(head + chunks.joined())] + (state.endsStreams ? [] : [.waitForClient])
    }
    let tag = "\"\(abs("\(state.document)".utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 1_000_003 }))\""
    if request.contains("\(tag)") { return [.response("304 Not Modified")] }
    return [.response("200 OK", ["Content-Type: application/json", "ETag: \(tag)"], body: "\(state.document)")]
  }
}

package import FlagHTTP

package struct ServerRequest: Hashable, Sendable {
  package let message: HTTPRequest
  package let target: RequestTarget
  package let peer: Peer
  /// The path's components by the names in braces of the route's pattern.
  package let parameters: [String: String]
  /// The path under which a trusted proxy serves this server, such as "/flags"; empty if it says none.
  package var forwardedPrefix = ""
}

package struct Peer: Hashable, Sendable {
  package let address: String
  package let port: Int
  /// The address of this machine that it is connected to; empty if it is not known.
  package var local = ""
  /// Whether a trusted proxy sent the request, so that fields that only the proxy may set are believed.
  package internal(set) var isProxied = false

  package init(address: String, port: Int) {
    self.address = address
    self.port = port
  }
}

package enum ServerReply: Sendable {
  /// A complete response.
  case response(HTTPResponse)
  /// The events of a feed, the newest one at once, until one side closes the stream.
  case events(EventFeed, fields: HTTPFields = [:])
}

package enum RequestHandler: Sendable {
  /// A handler that runs at once, on a thread that serves connections: it must neither wait nor take long.
  case immediate(@Sendable (ServerRequest) throws -> ServerReply)
  /// A handler that runs in its own task, which is cancelled when its client disconnects or its time is over.
  case waiting(@Sendable (ServerRequest) async throws -> ServerReply)
}

package import FlagHTTP

package struct ServerRequest: Hashable, Sendable {
  package let message: HTTPRequest
  package let target: RequestTarget
  package let peer: Peer
  /// What the path has where the pattern of the route has a name in braces.
  package let parameters: [String: String]
}

package struct Peer: Hashable, Sendable {
  package let address: String
  package let port: Int

  package init(address: String, port: Int) {
    self.address = address
    self.port = port
  }
}

package enum ServerReply: Sendable {
  /// A whole response.
  case response(HTTPResponse)
  /// The events of a feed, the newest one at once, until one side ends it.
  case events(EventFeed, fields: HTTPFields = [:])
}

package enum RequestHandler: Sendable {
  /// Runs at once, on the thread that serves all connections: it may neither wait nor take long.
  case immediate(@Sendable (ServerRequest) throws -> ServerReply)
  /// Runs in a task of its own, which is cancelled when its client is gone or its time is over.
  case waiting(@Sendable (ServerRequest) async throws -> ServerReply)
}

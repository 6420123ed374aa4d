package import FlagHTTP

package struct Service: Sendable {
  private let router: Router
  private let middleware: [Middleware]
  private let compression: Compression?
  private let prefix: [String]

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - routes: The routes, of which the first match answers.
  ///   - middleware: The steps before and after them.
  ///   - compresses: Whether responses are compressed for clients that accept that.
  ///   - prefix: The components before the paths of routes that requests may have, as through a proxy.
  package init(
    _ routes: [Router.Route], middleware: [Middleware] = [], compresses: Bool = false, prefix: [String] = []
  ) {
    router = Router(routes)
    self.middleware = middleware
    self.prefix = prefix
    compression = compresses ? Compression() : nil
  }

  package enum Plan: Sendable {
    /// The response is known already.
    case reply(HTTPResponse)
    /// The route's handler answers.
    case handle(Router.Route, ServerRequest)

    var isHealthCheck: Bool {
      if case .handle(let route, _) = self { route.isHealthCheck } else { false }
    }
  }

  package func plan(_ message: HTTPRequest, from peer: Peer, forwardedPrefix: String = "") -> Plan {
    guard message.target != "*" else { return .reply(decorated(HTTPResponse(.noContent), for: message)) }
    guard let target = RequestTarget(message.target)?.removing(prefix: prefix) else {
      return .reply(decorated(HTTPResponse(plain: .badRequest), for: message))
    }
    for layer in middleware {
      if let answer = layer.answer(message, target, peer) { return .reply(decorated(answer, for: message)) }
    }
    switch router.match(message.method, target.path) {
    case .found(let route, let parameters):
      return .handle(
        route,
        ServerRequest(
          message: message, target: target, peer: peer, parameters: parameters, forwardedPrefix: forwardedPrefix))
    case .otherMethods(let methods):
      let isQuestion = message.method == .options
      var response = isQuestion ? HTTPResponse(.noContent) : HTTPResponse(plain: .methodNotAllowed)
      response.fields.append(.allow, methods.map(\.name).joined(separator: ", "))
      return .reply(decorated(response, for: message))
    case .notFound: return .reply(decorated(HTTPResponse(plain: .notFound), for: message))
    }
  }

  /// Returns the reply to a request that another server received; an error of the handler is status 500.
  package func reply(to message: HTTPRequest) async -> ServerReply {
    switch plan(message, from: Peer(address: "", port: 0)) {
    case .reply(let response): return .response(response)
    case .handle(let route, let request):
      do {
        switch route.handler {
        case .immediate(let body): return decorated(try body(request), for: message)
        case .waiting(let body): return decorated(try await body(request), for: message)
        }
      } catch {
        return decorated(.response(HTTPResponse(plain: .internalServerError)), for: message)
      }
    }
  }

  /// Returns a reply with the middleware's header fields.
  func decorated(_ reply: ServerReply, for message: HTTPRequest) -> ServerReply {
    switch reply {
    case .response(let response): return .response(decorated(response, for: message))
    case .events(let feed, var fields):
      for layer in middleware { layer.decorate(message, &fields) }
      return .events(feed, fields: fields)
    }
  }

  private func decorated(_ response: HTTPResponse, for message: HTTPRequest) -> HTTPResponse {
    var response = response
    for layer in middleware { layer.decorate(message, &response.fields) }
    compression?.apply(to: &response, for: message)
    return response
  }
}

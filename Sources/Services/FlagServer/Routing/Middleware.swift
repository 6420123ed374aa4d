package import FlagHTTP

/// A step that sees every request before it is routed, and every response before it is sent.
package struct Middleware: Sendable {
  /// Answers a request instead of its route; nil passes it on.
  package let answer: @Sendable (HTTPRequest, RequestTarget, Peer) -> HTTPResponse?
  /// Changes the header of a response.
  package let decorate: @Sendable (HTTPRequest, inout HTTPFields) -> Void

  package init(
    answer: @escaping @Sendable (HTTPRequest, RequestTarget, Peer) -> HTTPResponse?,
    decorate: @escaping @Sendable (HTTPRequest, inout HTTPFields) -> Void
  ) {
    self.answer = answer
    self.decorate = decorate
  }

  /// Refuses requests for hosts other than the server's own, except for the open paths.
  package static func hosts(_ policy: HostPolicy, except paths: Set<[String]> = []) -> Middleware {
    Middleware { request, target, peer in
      policy.allows(request.host, at: peer.local) || paths.contains(target.path)
        ? nil : HTTPResponse(plain: .misdirectedRequest)
    } decorate: { _, _ in
    }
  }

  /// Refuses requests without one of the tokens, except for the open paths and requests with other authorization.
  package static func tokens(
    _ policy: TokenPolicy, except paths: Set<[String]> = [],
    orWhere isAllowed: @escaping @Sendable (RequestTarget) -> Bool = { _ in false }
  ) -> Middleware {
    tokens(except: paths, orWhere: isAllowed) { _ in policy }
  }

  /// Refuses requests without one of the tokens of their target, which needs none if it has no policy.
  package static func tokens(
    except paths: Set<[String]> = [],
    orWhere isAllowed: @escaping @Sendable (RequestTarget) -> Bool = { _ in false },
    for policy: @escaping @Sendable (RequestTarget) -> TokenPolicy?
  ) -> Middleware {
    Middleware { request, target, _ in
      if policy(target)?.allows(request) ?? true || paths.contains(target.path) || isAllowed(target) { return nil }
      var response = HTTPResponse(plain: .unauthorized)
      response.fields.append(.wwwAuthenticate, "Bearer")
      return response
    } decorate: { _, _ in
    }
  }

  /// Lets pages of other origins read responses, and answers the preflights of their browsers.
  ///
  /// It must come before the check of tokens, since browsers send preflights without one. It is for the targets that
  /// fulfil a condition. Pages of further origins cannot read the responses; they may get none at all.
  package static func crossOrigin(
    _ policy: CrossOriginPolicy, refusesOthers: Bool = false,
    where isMeant: @escaping @Sendable (RequestTarget) -> Bool = { _ in true }
  ) -> Middleware {
    Middleware { request, target, _ in
      guard isMeant(target) else { return nil }
      if policy.isPreflight(request) {
        return HTTPResponse(.noContent, fields: policy.preflightFields(for: request))
      }
      guard refusesOthers, let origin = request.fields[.origin], policy.allowed(origin) == nil else { return nil }
      return HTTPResponse(plain: .forbidden)
    } decorate: { request, fields in
      if let target = RequestTarget(request.target), isMeant(target) { policy.decorate(&fields, for: request) }
    }
  }
}

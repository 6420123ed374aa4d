package import FlagHTTP

/// A step that sees every request before it is routed, and every response before it is sent.
package struct Middleware: Sendable {
  /// Answers a request instead of its route; nil passes it on.
  package let answer: @Sendable (HTTPRequest, RequestTarget) -> HTTPResponse?
  /// Changes the header of a response.
  package let decorate: @Sendable (HTTPRequest, inout HTTPFields) -> Void

  package init(
    answer: @escaping @Sendable (HTTPRequest, RequestTarget) -> HTTPResponse?,
    decorate: @escaping @Sendable (HTTPRequest, inout HTTPFields) -> Void
  ) {
    self.answer = answer
    self.decorate = decorate
  }
}

extension Middleware {
  /// Refuses requests for hosts other than the server's own.
  package static func hosts(_ policy: HostPolicy) -> Middleware {
    Middleware { request, _ in
      policy.allows(request.host) ? nil : HTTPResponse(plain: .misdirectedRequest)
    } decorate: { _, _ in
    }
  }

  /// Refuses requests without one of the tokens, except for the open paths and requests with other authorization.
  package static func tokens(
    _ policy: TokenPolicy, except paths: Set<[String]> = [],
    orWhere isAllowed: @escaping @Sendable (RequestTarget) -> Bool = { _ in false }
  ) -> Middleware {
    Middleware { request, target in
      if policy.allows(request) || paths.contains(target.path) || isAllowed(target) { return nil }
      var response = HTTPResponse(plain: .unauthorized)
      response.fields.append(.wwwAuthenticate, "Bearer")
      return response
    } decorate: { _, _ in
    }
  }

  /// Lets pages of other origins read responses, and answers the preflights of their browsers.
  ///
  /// It must come before the check of tokens, since browsers send preflights without one.
  package static func crossOrigin(_ policy: CrossOriginPolicy) -> Middleware {
    Middleware { request, _ in
      policy.isPreflight(request) ? HTTPResponse(.noContent, fields: policy.preflightFields(for: request)) : nil
    } decorate: { request, fields in
      policy.decorate(&fields, for: request)
    }
  }
}

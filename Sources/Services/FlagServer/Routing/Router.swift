package import FlagHTTP

package struct Router: Sendable {
  package struct Route: Sendable {
    package let method: HTTPMethod
    package let pattern: RoutePattern
    package let handler: RequestHandler
    /// Whether it is for operators, who are answered even if there are too many connections.
    package let isHealthCheck: Bool

    /// Creates a route; in a pattern such as "/flags/{key}", a name in braces matches any non-empty component.
    package init(
      _ method: HTTPMethod, _ pattern: RoutePattern, isHealthCheck: Bool = false, _ handler: RequestHandler
    ) {
      self.method = method
      self.pattern = pattern
      self.isHealthCheck = isHealthCheck
      self.handler = handler
    }
  }

  package enum Match: Sendable {
    /// A route matches.
    case found(Route, parameters: [String: String])
    /// The path has routes, but only for these methods.
    case otherMethods([HTTPMethod])
    /// No route matches the path.
    case notFound
  }

  private let routes: [Route]

  /// Creates a router; if several routes match, the first one answers.
  package init(_ routes: [Route]) { self.routes = routes }

  /// Returns the match for a request; routes for GET match HEAD, too.
  package func match(_ method: HTTPMethod, _ path: [String]) -> Match {
    var methods: [HTTPMethod] = []
    var fallback: Match?
    for route in routes {
      guard let parameters = route.pattern.match(path) else { continue }
      if route.method == method { return .found(route, parameters: parameters) }
      if method == .head, route.method == .get, fallback == nil { fallback = .found(route, parameters: parameters) }
      methods.append(route.method)
      if route.method == .get { methods.append(.head) }
    }
    if let fallback { return fallback }
    guard !methods.isEmpty else { return .notFound }
    // The order is that of the routes; each method occurs once.
    return .otherMethods(methods.enumerated().filter { methods.firstIndex(of: $1) == $0 }.map(\.element) + [.options])
  }
}

/// The pattern of a route's paths: literal components, and placeholders.
package struct RoutePattern: Hashable, Sendable {
  private enum Part: Hashable { case literal(String), any(name: String) }

  package let text: String
  private let parts: [Part]

  /// Parses a pattern from text that begins with a slash.
  package init(_ text: String) {
    self.text = text
    let names = text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    parts = names.map { part in
      part.hasPrefix("{") && part.hasSuffix("}")
        ? .any(name: String(part.dropFirst().dropLast())) : .literal(String(part))
    }
  }

  /// Returns a path's components by the names of the placeholders, or nil if the path does not match.
  package func match(_ path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      switch part {
      case .literal(let literal): guard text == literal else { return nil }
      case .any(let name):
        guard !text.isEmpty else { return nil }
        parameters[name] = text
      }
    }
    return parameters
  }
}

extension RoutePattern: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

package import FlagHTTP

package struct Router: Sendable {
  package struct Route: Sendable {
    package let method: HTTPMethod
    package let pattern: RoutePattern
    package let handler: RequestHandler

    /// Creates a route; the pattern is as "/flags/{key}", where a name in braces is any one part that is not empty.
    package init(_ method: HTTPMethod, _ pattern: RoutePattern, _ handler: RequestHandler) {
      self.method = method
      self.pattern = pattern
      self.handler = handler
    }
  }

  package enum Match: Sendable {
    /// A route answers it.
    case found(Route, parameters: [String: String])
    /// The path has routes, of these methods.
    case otherMethods([HTTPMethod])
    /// No route has such a path.
    case notFound
  }

  private let routes: [Route]

  /// Creates a router; of two routes that match, the first answers.
  package init(_ routes: [Route]) { self.routes = routes }
}

extension Router {
  /// Returns what becomes of a request; what answers GET answers HEAD, too.
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
    // The order is that of the routes; each method is said once.
    return .otherMethods(methods.enumerated().filter { methods.firstIndex(of: $1) == $0 }.map(\.element) + [.options])
  }
}

/// The paths of a route: parts that are as written, and parts that are any.
package struct RoutePattern: Hashable, Sendable {
  private enum Part: Hashable { case literal(String), any(name: String) }

  package let text: String
  private let parts: [Part]

  /// Creates a pattern from text that begins with a slash.
  package init(_ text: String) {
    self.text = text
    let names = text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    parts = names.map { part in
      part.hasPrefix("{") && part.hasSuffix("}")
        ? .any(name: String(part.dropFirst().dropLast())) : .literal(String(part))
    }
  }

  /// Returns the parts of a path by their names, or nil where the path is another.
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

import FlagHTTP
import FlagServer

/// The location of a console's pages: the path on a server, and the server's origin.
struct ConsolePlace: Hashable, Sendable {
  /// The base path of the pages, without a trailing slash; empty if they are at the root.
  let base: String
  /// The origin of the server, as browsers send it; nil for this machine, by any loopback name and port.
  let origin: String?
  private let host: HTTPHost?

  static let root = ConsolePlace()

  private init() { (base, origin, host) = ("", nil, nil) }

  /// Validates a path, and an origin if there is one.
  init(path: String, origin: String?) throws(FlagConsoleError) {
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    let parts = base.split(separator: "/", omittingEmptySubsequences: false)
    let areNames = parts.dropFirst().allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && PercentEncoding.encode(part) == part
    }
    guard base.isEmpty || parts[0].isEmpty && areNames else {
      throw FlagConsoleError(
        description: "expected a path of letters, digits and -._~ as “/admin/flags”, found “\(path)”")
    }
    self.base = base
    self.origin = origin
    guard let origin else {
      host = nil
      return
    }
    let scheme = ["https://", "http://"].first(where: origin.hasPrefix)
    guard let scheme, let host = HTTPHost(String(origin.dropFirst(scheme.count))), origin == "\(scheme)\(host)" else {
      throw FlagConsoleError(description: "expected an origin as “https://flags.example.com”, found “\(origin)”")
    }
    self.host = host
  }
}

extension ConsolePlace {
  var isSecure: Bool { origin?.hasPrefix("https:") == true }

  var hosts: HostPolicy { HostPolicy(allowsLoopback: host == nil, names: Set([host?.name].compactMap { $0 })) }

  private var names: [String] { base.split(separator: "/").map(String.init) }

  /// Returns whether a path is the base path followed by one of the given paths.
  func isOneOf(_ paths: Set<[String]>, _ path: [String]) -> Bool {
    path.starts(with: names) && paths.contains(Array(path.dropFirst(names.count)))
  }

  /// Returns routes below the base path, and a redirect to them from the base path without a trailing slash.
  func mounting(_ routes: [Router.Route]) -> [Router.Route] {
    guard !base.isEmpty else { return routes }
    let mounted = routes.map { Router.Route($0.method, RoutePattern(base + $0.pattern.text), $0.handler) }
    let home = HTTPResponse(.seeOther, fields: [.location: base + "/"])
    return mounted + [Router.Route(.get, RoutePattern(base), .immediate { _ in .response(home) })]
  }
}

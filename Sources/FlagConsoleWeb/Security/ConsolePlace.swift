import FlagHTTP
import FlagServer

/// Where the pages of a console are: at which path of which server.
struct ConsolePlace: Hashable, Sendable {
  /// The path that they are below, without a slash at its end; empty for a server's only pages.
  let base: String
  /// The origin of the server, as browsers write it; nil for this machine, by whatever name of its own and port.
  let origin: String?
  private let host: HTTPHost?

  static let root = ConsolePlace()

  private init() { (base, origin, host) = ("", nil, nil) }

  /// Checks a path, and an origin where there is one.
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

  /// Whether a path is the place's own, followed by one of some paths.
  func isOneOf(_ paths: Set<[String]>, _ path: [String]) -> Bool {
    path.starts(with: names) && paths.contains(Array(path.dropFirst(names.count)))
  }

  /// Returns routes with their paths below this one; without the slash at its end it leads there.
  func mounting(_ routes: [Router.Route]) -> [Router.Route] {
    guard !base.isEmpty else { return routes }
    let mounted = routes.map { Router.Route($0.method, RoutePattern(base + $0.pattern.text), $0.handler) }
    let home = HTTPResponse(.seeOther, fields: [.location: base + "/"])
    return mounted + [Router.Route(.get, RoutePattern(base), .immediate { _ in .response(home) })]
  }
}

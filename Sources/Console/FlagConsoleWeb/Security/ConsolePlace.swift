import FlagHTTP
import FlagServer

/// The location of a console's pages: the path on a server, and the server's origin.
struct ConsolePlace: Hashable, Sendable {
  /// The base path of the pages, without a trailing slash; empty if they are at the root.
  let base: String
  /// The path that everyone may know; the base path itself, unless that ends with a secret.
  let outer: String
  /// The origin of the server, as browsers send it; nil for this machine, by any loopback name and port.
  let origin: String?
  private let host: HTTPHost?

  static let root = ConsolePlace()

  private init() { (base, outer, origin, host) = ("", "", nil, nil) }

  private init(_ place: ConsolePlace, below secret: String) {
    (base, outer, origin, host) = ("\(place.base)/\(secret)", place.base, place.origin, place.host)
  }

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
    (self.base, outer) = (base, base)
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

  /// Returns the place below a secret component, which no other server on the machine is asked for.
  ///
  /// Cookies do not distinguish ports, but they do distinguish paths.
  func hidden(below secret: String) -> ConsolePlace { ConsolePlace(self, below: secret) }

  var isSecure: Bool { origin?.hasPrefix("https:") == true }

  var hosts: HostPolicy { HostPolicy(allowsLoopback: host == nil, names: Set([host?.name].compactMap { $0 })) }

  /// Returns whether a path is the base path followed by the link's, or that of a file which shows nothing of a flag.
  func isOpen(_ path: [String]) -> Bool { names(of: base) + ["start"] == path || isFile(path) }

  /// Returns whether a path is that of a file which shows nothing of a flag.
  func isFile(_ path: [String]) -> Bool {
    [base, outer].flatMap { place in Self.files.map { names(of: place) + [$0] } }.contains(path)
  }

  private static let files = [PageFile.style.name, PageFile.icon.name]

  private func names(of path: String) -> [String] { path.split(separator: "/").map(String.init) }

  /// The requests that a browser sends a cookie with, besides those of the pages themselves.
  enum CookieReach: String {
    /// None: for a cookie that opens something.
    case strict = "Strict"
    /// Links of other sites that a person follows: for a cookie that only recognizes a browser.
    case lax = "Lax"
  }

  /// Returns the attributes of a cookie, which is sent to the pages only.
  func cookieAttributes(_ reach: CookieReach) -> String {
    "Path=\(base.isEmpty ? "/" : base); HttpOnly; SameSite=\(reach.rawValue)\(isSecure ? "; Secure" : "")"
  }

  /// Returns routes below the base path, and a redirect to them from the base path without a trailing slash.
  func mounting(_ routes: [Router.Route]) -> [Router.Route] {
    guard !base.isEmpty else { return routes }
    let mounted = Self.mounting(routes, below: base, of: "")
    let files = routes.filter { Self.files.contains(String($0.pattern.text.dropFirst())) && outer != base }
      .map { Router.Route($0.method, RoutePattern(outer + $0.pattern.text), $0.handler) }
    return mounted + files
  }

  /// Returns routes below a path, and a redirect to them from that path without a trailing slash.
  static func mounting(_ routes: [Router.Route], below path: String, of base: String) -> [Router.Route] {
    let home = HTTPResponse(.seeOther, fields: [.location: base + path + "/"])
    return routes.map { Router.Route($0.method, RoutePattern(path + $0.pattern.text), $0.handler) }
      + [Router.Route(.get, RoutePattern(path), .immediate { _ in .response(home) })]
  }
}

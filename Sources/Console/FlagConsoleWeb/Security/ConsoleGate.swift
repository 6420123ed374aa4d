import FlagDomain
import FlagHTTP
import FlagServer
import FlagSupport

/// The access control of a console: one browser gets in by a link that works once, and from then on by a cookie.
///
/// The design does not assume that the machine has a single user, or that the browser shows no other pages.
/// - A request for another host is refused: a foreign host name can resolve to this machine (DNS rebinding).
/// - A request that changes something is refused unless its origin is the console's. Cookies are sent to every port of
///   a host, so a page of another server on this machine could send the console's cookie.
/// - The cookie is hidden from scripts, and is not sent with requests that other sites start.
/// - The pages of a link are below a secret path, and so is their cookie: a server on another port of this machine is
///   not sent it, and nothing that it is sent opens the console.
///
/// If the pages are mounted in another server, which may have a domain and a login of its own, that server's origin
/// replaces this machine's, and its login can replace the link.
final class ConsoleGate: Sendable {
  private let token: Locked<String?>
  private let session: [UInt8]
  private let cookieName: String
  private let place: ConsolePlace
  private let isOpen: Bool

  /// Creates a gate; the secrets must consist of characters that need no encoding.
  ///
  /// - Parameters:
  ///   - token: The secret in the link, which is accepted once.
  ///   - session: The secret in the cookie.
  ///   - name: The suffix of the cookie's name, which separates consoles on the same host.
  ///   - place: The location of the pages.
  ///   - isOpen: Whether the server that the pages are mounted in controls access with a login of its own.
  init(token: String, session: String, name: String, at place: ConsolePlace = .root, isOpen: Bool = false) {
    self.token = Locked(token)
    self.session = Array(session.utf8)
    self.place = place
    self.isOpen = isOpen
    cookieName = "console-\(name)"
  }

  /// The middleware that checks every request before routing, and adds security headers to every response.
  var middleware: Middleware {
    Middleware { [self] request, target, _ in
      guard place.hosts.allows(request.host) else {
        return HTTPResponse(plain: .misdirectedRequest)
      }
      guard isOurs(request) else { return HTTPResponse(plain: .forbidden) }
      if isOpen || place.isOpen(target.path) || isKnown(request) { return nil }
      return MessagePage.closed(place.outer)
    } decorate: { _, fields in
      for (name, value) in Self.fields { fields[name] = value }
      fields[.cacheControl] = fields[.cacheControl] ?? "no-store"
    }
  }

  /// The middleware that refuses everything but the files that a refusal is shown with.
  var closed: Middleware {
    Middleware { [place] _, target, _ in
      place.isFile(target.path) ? nil : MessagePage.refused(place.outer)
    } decorate: { _, _ in
    }
  }

  private static let fields: [(HTTPFieldName, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    // Not "no-referrer": with that, browsers send forms from the origin "null".
    (.contentTypeOptions, "nosniff"), (.referrerPolicy, "same-origin"),
    (.crossOriginOpenerPolicy, "same-origin"), (.crossOriginResourcePolicy, "same-origin"),
  ]

  /// Returns whether a page of the console sent a request, or the request is a read without an origin.
  private func isOurs(_ request: HTTPRequest) -> Bool {
    let isReading = request.method == .get || request.method == .head
    guard let origin = request.fields[.origin] else { return isReading }
    return origin == place.origin ?? request.fields[.host].map { "http://\($0)" }
  }

  private func isKnown(_ request: HTTPRequest) -> Bool {
    request.cookies(named: cookieName).contains { ConstantTime.equals($0.utf8, secret: session) }
  }

  /// Responds to the link that the console was started with, and sets the cookie at its first use.
  ///
  /// HEAD, by which programs preview links, does not use it up.
  func start(_ request: ServerRequest) -> HTTPResponse {
    let given = request.target.value(of: "token") ?? ""
    let isPreview = request.message.method == .head
    let isRight = token.withLock { token in
      guard let secret = token, ConstantTime.equals(given.utf8, secret: Array(secret.utf8)) else { return false }
      if !isPreview { token = nil }
      return true
    }
    guard isRight || isOpen || isKnown(request.message) else { return MessagePage.closed(place.outer) }
    var response = MessagePage.opening(place.base)
    if isRight, !isPreview {
      let secret = String(decoding: session, as: UTF8.self)
      response.fields.append(.setCookie, "\(cookieName)=\(secret); \(place.cookieAttributes(.strict))")
    }
    return response
  }
}

extension HTTPRequest {
  /// Returns the values of the cookies with a name, of which a browser may send several.
  func cookies(named name: String) -> [Substring] {
    (fields[.cookie] ?? "").split(separator: ";").compactMap { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].filter { $0 != " " } == name ? parts[1] : nil
    }
  }
}

/// The random secrets in the link, in the path, in the cookie and in the cookie's name.
struct ConsoleSecrets: Sendable {
  let path: String
  let token: String
  let session: String
  let name: String

  /// Creates secrets with a source of them, which must be unguessable.
  init(_ secret: () -> String) {
    (path, token, session) = (secret(), secret(), secret())
    name = String(secret().prefix(8))
  }

  /// Returns a source of secrets from a generator, which must be cryptographically secure.
  static func source(_ generator: some RandomNumberGenerator & Sendable) -> @Sendable () -> String {
    let generator = Locked(generator)
    return {
      generator.withLock { generator in
        (0..<4).map { _ in UInt32.random(in: 0...UInt32.max, using: &generator).hexDigits }.joined()
      }
    }
  }
}

extension ConsoleGate {
  convenience init(_ secrets: ConsoleSecrets, at place: ConsolePlace = .root, isOpen: Bool = false) {
    self.init(token: secrets.token, session: secrets.session, name: secrets.name, at: place, isOpen: isOpen)
  }
}

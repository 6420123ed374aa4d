import FlagDomain
import FlagHTTP
import FlagServer

/// Who is let in: one browser, by a link that works once, and from then on by a cookie.
///
/// Nothing here trusts that the machine has one user, or that its browser shows no page but ours.
/// - A request for another host is refused: a foreign page's name can be given this machine's address (DNS rebinding).
/// - A request that changes something is refused unless the browser says that a page of ours sent it. Cookies count
///   for a host whatever its port, so a page of another server on this machine could send ours.
/// - The cookie is kept from scripts, and from requests that other sites start.
///
/// Where pages are mounted in another server, which may have a name and a login of its own, that server's origin takes
/// the place of this machine, and its login may take that of the link.
final class ConsoleGate: Sendable {
  private let token: Locked<String?>
  private let session: [UInt8]
  private let cookieName: String
  private let place: ConsolePlace
  private let isOpen: Bool

  /// Creates a gate; each secret is of characters that need no encoding.
  ///
  /// - Parameters:
  ///   - token: What the link has, and counts once.
  ///   - session: What the cookie has.
  ///   - name: What tells the cookie of one console from those of others on the same host.
  ///   - place: Where the pages are.
  ///   - isOpen: Whether a server with a login of its own lets nobody else come here.
  init(token: String, session: String, name: String, at place: ConsolePlace = .root, isOpen: Bool = false) {
    self.token = Locked(token)
    self.session = Array(session.utf8)
    self.place = place
    self.isOpen = isOpen
    cookieName = "console-\(name)"
  }
}

extension ConsoleGate {
  /// What looks at every request before it is routed, and keeps browsers from what pages never need.
  var middleware: Middleware {
    Middleware { [self] request, target in
      guard place.hosts.allows(request.host) else {
        return HTTPResponse(plain: .misdirectedRequest)
      }
      guard isOurs(request) else { return HTTPResponse(plain: .forbidden) }
      if isOpen || place.isOneOf(Self.open, target.path) || isKnown(request) { return nil }
      return MessagePage.closed(place.base)
    } decorate: { _, fields in
      for (name, value) in Self.fields { fields[name] = value }
    }
  }

  private static let open: Set<[String]> = [["start"], ["console.css"], ["icon.svg"]]

  private static let fields: [(HTTPFieldName, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    // Not "no-referrer": with that, browsers send forms from the origin "null".
    (.contentTypeOptions, "nosniff"), (.referrerPolicy, "same-origin"), (.cacheControl, "no-store"),
    (.crossOriginOpenerPolicy, "same-origin"), (.crossOriginResourcePolicy, "same-origin"),
  ]

  /// Whether a page of ours sent a request, or it is one that changes nothing and no page sent.
  private func isOurs(_ request: HTTPRequest) -> Bool {
    let isReading = request.method == .get || request.method == .head
    guard let origin = request.fields[.origin] else { return isReading }
    return origin == place.origin ?? request.fields[.host].map { "http://\($0)" }
  }

  private func isKnown(_ request: HTTPRequest) -> Bool {
    let cookies = (request.fields[.cookie] ?? "").split(separator: ";")
    return cookies.contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].filter { $0 != " " } == cookieName
        && ConstantTime.equals(parts[1].utf8, secret: session)
    }
  }

  /// Answers the link that the console was started with: with the cookie where it was not used before.
  func start(_ request: ServerRequest) -> HTTPResponse {
    let given = request.target.value(of: "token") ?? ""
    let isRight = token.withLock { token in
      guard let secret = token, ConstantTime.equals(given.utf8, secret: Array(secret.utf8)) else { return false }
      token = nil
      return true
    }
    guard isRight || isOpen || isKnown(request.message) else { return MessagePage.closed(place.base) }
    var response = MessagePage.opening(place.base)
    if isRight {
      let secret = String(decoding: session, as: UTF8.self)
      let path = place.base.isEmpty ? "/" : place.base
      let secure = place.isSecure ? "; Secure" : ""
      response.fields.append(.setCookie, "\(cookieName)=\(secret); Path=\(path); HttpOnly; SameSite=Strict\(secure)")
    }
    return response
  }
}

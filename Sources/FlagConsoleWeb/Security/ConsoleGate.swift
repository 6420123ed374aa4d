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
final class ConsoleGate: Sendable {
  private let token: Locked<String?>
  private let session: [UInt8]
  private let cookieName: String

  /// Creates a gate; each secret is of characters that need no encoding.
  init(token: String, session: String, name: String) {
    self.token = Locked(token)
    self.session = Array(session.utf8)
    cookieName = "console-\(name)"
  }
}

extension ConsoleGate {
  /// What looks at every request before it is routed, and keeps browsers from what pages never need.
  var middleware: Middleware {
    Middleware { [self] request, target in
      guard HostPolicy(allowsLoopback: true).allows(request.host) else {
        return HTTPResponse(plain: .misdirectedRequest)
      }
      guard isOurs(request) else { return HTTPResponse(plain: .forbidden) }
      if Self.open.contains(target.path) || isKnown(request) { return nil }
      return MessagePage.closed
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
    return origin == request.fields[.host].map { "http://\($0)" }
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
    guard isRight || isKnown(request.message) else { return MessagePage.closed }
    var response = MessagePage.opening
    if isRight {
      let secret = String(decoding: session, as: UTF8.self)
      response.fields.append(.setCookie, "\(cookieName)=\(secret); Path=/; HttpOnly; SameSite=Strict")
    }
    return response
  }
}

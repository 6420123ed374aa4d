/// The name of a header field, which is not case-sensitive.
package struct HTTPFieldName: Sendable {
  /// The name as it was written.
  package let text: String

  /// Creates a name, or nil if the text is not a token.
  package init?(_ text: String) {
    guard text.isHTTPToken else { return nil }
    self.text = text
  }

  init(validated text: String) { self.text = text }

  package static let accept = HTTPFieldName(validated: "Accept")
  package static let acceptEncoding = HTTPFieldName(validated: "Accept-Encoding")
  package static let accessControlAllowHeaders = HTTPFieldName(validated: "Access-Control-Allow-Headers")
  package static let accessControlAllowMethods = HTTPFieldName(validated: "Access-Control-Allow-Methods")
  package static let accessControlAllowOrigin = HTTPFieldName(validated: "Access-Control-Allow-Origin")
  package static let accessControlExposeHeaders = HTTPFieldName(validated: "Access-Control-Expose-Headers")
  package static let accessControlMaxAge = HTTPFieldName(validated: "Access-Control-Max-Age")
  package static let accessControlRequestHeaders = HTTPFieldName(validated: "Access-Control-Request-Headers")
  package static let accessControlRequestMethod = HTTPFieldName(validated: "Access-Control-Request-Method")
  package static let accelBuffering = HTTPFieldName(validated: "X-Accel-Buffering")
  package static let allow = HTTPFieldName(validated: "Allow")
  package static let apiKey = HTTPFieldName(validated: "X-API-Key")
  package static let authorization = HTTPFieldName(validated: "Authorization")
  package static let cacheControl = HTTPFieldName(validated: "Cache-Control")
  package static let connection = HTTPFieldName(validated: "Connection")
  package static let contentEncoding = HTTPFieldName(validated: "Content-Encoding")
  package static let contentLength = HTTPFieldName(validated: "Content-Length")
  package static let contentType = HTTPFieldName(validated: "Content-Type")
  package static let contentSecurityPolicy = HTTPFieldName(validated: "Content-Security-Policy")
  package static let contentTypeOptions = HTTPFieldName(validated: "X-Content-Type-Options")
  package static let cookie = HTTPFieldName(validated: "Cookie")
  package static let crossOriginOpenerPolicy = HTTPFieldName(validated: "Cross-Origin-Opener-Policy")
  package static let crossOriginResourcePolicy = HTTPFieldName(validated: "Cross-Origin-Resource-Policy")
  package static let date = HTTPFieldName(validated: "Date")
  package static let eTag = HTTPFieldName(validated: "ETag")
  package static let expect = HTTPFieldName(validated: "Expect")
  package static let forwardedFor = HTTPFieldName(validated: "X-Forwarded-For")
  package static let forwardedPrefix = HTTPFieldName(validated: "X-Forwarded-Prefix")
  package static let host = HTTPFieldName(validated: "Host")
  package static let ifNoneMatch = HTTPFieldName(validated: "If-None-Match")
  package static let lastEventID = HTTPFieldName(validated: "Last-Event-ID")
  package static let location = HTTPFieldName(validated: "Location")
  package static let origin = HTTPFieldName(validated: "Origin")
  package static let proxyStatus = HTTPFieldName(validated: "Proxy-Status")
  package static let referrerPolicy = HTTPFieldName(validated: "Referrer-Policy")
  package static let retryAfter = HTTPFieldName(validated: "Retry-After")
  package static let server = HTTPFieldName(validated: "Server")
  package static let setCookie = HTTPFieldName(validated: "Set-Cookie")
  package static let squidError = HTTPFieldName(validated: "X-Squid-Error")
  package static let sseSupport = HTTPFieldName(validated: "X-SSE-Support")
  package static let transferEncoding = HTTPFieldName(validated: "Transfer-Encoding")
  package static let userAgent = HTTPFieldName(validated: "User-Agent")
  package static let vary = HTTPFieldName(validated: "Vary")
  package static let via = HTTPFieldName(validated: "Via")
  package static let wwwAuthenticate = HTTPFieldName(validated: "WWW-Authenticate")
}

extension HTTPFieldName: Hashable {
  package static func == (one: HTTPFieldName, other: HTTPFieldName) -> Bool {
    one.text.equalsIgnoringASCIICase(other.text)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte.lowercasedASCII) }
  }
}

extension HTTPFieldName: CustomStringConvertible {
  package var description: String { text }
}

/// The result of a request, as a number of three digits and its reason phrase.
package struct HTTPStatus: Hashable, Sendable {
  /// The number, from 100 to 599.
  package let code: Int

  /// Creates a status, or nil if the number is out of range.
  package init?(_ code: Int) {
    guard (100...599).contains(code) else { return nil }
    self.code = code
  }

  private init(known code: Int) { self.code = code }

  package static let ok = HTTPStatus(known: 200)
  package static let noContent = HTTPStatus(known: 204)
  package static let seeOther = HTTPStatus(known: 303)
  package static let notModified = HTTPStatus(known: 304)
  package static let badRequest = HTTPStatus(known: 400)
  package static let unauthorized = HTTPStatus(known: 401)
  package static let forbidden = HTTPStatus(known: 403)
  package static let notFound = HTTPStatus(known: 404)
  package static let methodNotAllowed = HTTPStatus(known: 405)
  package static let requestTimeout = HTTPStatus(known: 408)
  package static let conflict = HTTPStatus(known: 409)
  package static let lengthRequired = HTTPStatus(known: 411)
  package static let contentTooLarge = HTTPStatus(known: 413)
  package static let targetTooLong = HTTPStatus(known: 414)
  package static let expectationFailed = HTTPStatus(known: 417)
  package static let misdirectedRequest = HTTPStatus(known: 421)
  package static let unprocessableContent = HTTPStatus(known: 422)
  package static let tooManyRequests = HTTPStatus(known: 429)
  package static let fieldsTooLarge = HTTPStatus(known: 431)
  package static let internalServerError = HTTPStatus(known: 500)
  package static let notImplemented = HTTPStatus(known: 501)
  package static let serviceUnavailable = HTTPStatus(known: 503)
  package static let versionNotSupported = HTTPStatus(known: 505)

  /// Whether a response of this status ends with its header: 1xx, 204 and 304 (RFC 9112, 6.3).
  package var hasNoContent: Bool { code < 200 || code == 204 || code == 304 }

  /// The reason phrase of RFC 9110 or RFC 6585; empty for rare numbers.
  package var reason: String { Self.reasons[code] ?? "" }

  private static let reasons = [
    100: "Continue",
    200: "OK",
    201: "Created",
    204: "No Content",
    303: "See Other",
    304: "Not Modified",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    417: "Expectation Failed",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
  ]
}

extension HTTPStatus: CustomStringConvertible {
  package var description: String { reason.isEmpty ? "\(code)" : "\(code) \(reason)" }
}

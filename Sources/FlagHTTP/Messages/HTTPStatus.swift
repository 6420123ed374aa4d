/// How a request went, as a number of three digits and its usual words.
package struct HTTPStatus: Hashable, Sendable {
  /// The number, from 100 to 599.
  package let code: Int

  /// Creates a status, or nil where the number is out of range.
  package init?(_ code: Int) {
    guard (100...599).contains(code) else { return nil }
    self.code = code
  }

  private init(known code: Int) { self.code = code }

  package static let ok = HTTPStatus(known: 200)
  package static let created = HTTPStatus(known: 201)
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
  package static let preconditionFailed = HTTPStatus(known: 412)
  package static let contentTooLarge = HTTPStatus(known: 413)
  package static let targetTooLong = HTTPStatus(known: 414)
  package static let unsupportedMediaType = HTTPStatus(known: 415)
  package static let expectationFailed = HTTPStatus(known: 417)
  package static let misdirectedRequest = HTTPStatus(known: 421)
  package static let unprocessableContent = HTTPStatus(known: 422)
  package static let tooManyRequests = HTTPStatus(known: 429)
  package static let fieldsTooLarge = HTTPStatus(known: 431)
  package static let internalServerError = HTTPStatus(known: 500)
  package static let notImplemented = HTTPStatus(known: 501)
  package static let serviceUnavailable = HTTPStatus(known: 503)
  package static let versionNotSupported = HTTPStatus(known: 505)
}

extension HTTPStatus {
  /// Whether a response of this status ends with its header: 1xx, 204 and 304 (RFC 9112, 6.3).
  package var hasNoContent: Bool { code < 200 || code == 204 || code == 304 }

  /// The words that RFC 9110 and RFC 6585 give the number; empty for numbers that are rarely met.
  package var reason: String {
    switch code {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 303: "See Other"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

extension HTTPStatus: CustomStringConvertible {
  package var description: String { reason.isEmpty ? "\(code)" : "\(code) \(reason)" }
}

/// A request, with all of its content.
package struct HTTPRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// What the request is for, as it was written; a server has checked its characters, not its path.
  package var target: String
  package var version: HTTPVersion
  package var fields: HTTPFields
  package var body: [UInt8]
  /// The fields after a body in chunks; they never count as header fields.
  package var trailers = HTTPFields()

  package init(
    _ method: HTTPMethod, _ target: String, version: HTTPVersion = .http11, fields: HTTPFields = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.body = body
  }
}

extension HTTPRequest {
  /// Whether the client means to send more on the same connection.
  ///
  /// With HTTP/1.0 never: how long its responses are can then not be told in all cases.
  package var keepsConnection: Bool { version == .http11 && !fields.contains("close", in: .connection) }
}

package enum HTTPVersion: Hashable, Sendable {
  case http10
  /// This one, or a later one whose major version is 1.
  case http11
}

/// A request, with all of its content.
package struct HTTPRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// The target of the request, as received; its characters have been checked, its path has not.
  package var target: String
  package var version: HTTPVersion
  package var fields: HTTPFields
  package var body: [UInt8]
  /// The trailers, which never count as header fields.
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

  /// Whether the client wants to send more requests on the same connection.
  ///
  /// It never does with HTTP/1.0, since the length of a response cannot always be given there.
  package var keepsConnection: Bool { version == .http11 && !fields.contains("close", in: .connection) }
}

package enum HTTPVersion: Hashable, Sendable {
  case http10
  /// HTTP/1.1, or a later version whose major version is 1.
  case http11
}

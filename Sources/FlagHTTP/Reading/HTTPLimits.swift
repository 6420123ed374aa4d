/// How long the parts of a request may be.
package struct HTTPLimits: Hashable, Sendable {
  /// The bytes of the first line, with its end.
  package var requestLine: Int
  /// The bytes of all header fields, with their ends; those after a body in chunks count, too.
  package var headerBytes: Int
  /// The number of header fields; those after a body in chunks count, too.
  package var headerCount: Int
  /// The bytes of the body.
  package var body: Int
  /// The bytes that the chunks of a body may have beside their size and content.
  package var chunkExtensions: Int

  package init(
    requestLine: Int = 8 << 10, headerBytes: Int = 32 << 10, headerCount: Int = 100, body: Int = 1 << 20,
    chunkExtensions: Int = 4 << 10
  ) {
    self.requestLine = requestLine
    self.headerBytes = headerBytes
    self.headerCount = headerCount
    self.body = body
    self.chunkExtensions = chunkExtensions
  }
}

/// Why a request is refused before anyone looked at what it asks.
package struct HTTPRequestError: Error, Hashable, Sendable {
  /// The status to answer with, before the connection is closed.
  package let status: HTTPStatus
  /// What was expected and what was found, for a log.
  package let reason: String

  package init(_ status: HTTPStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

/// The maximum sizes of the parts of a request.
package struct HTTPLimits: Hashable, Sendable {
  /// The bytes of the request line, including its line break.
  package var requestLine: Int
  /// The bytes of all header fields, including their line breaks; trailers count, too.
  package var headerBytes: Int
  /// The number of header fields; trailers count, too.
  package var headerCount: Int
  /// The bytes of the body.
  package var body: Int
  /// The bytes that the chunks of a body may have besides their sizes and content.
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

/// The reason why a request is rejected before it is routed.
package struct HTTPRequestError: Error, Hashable, Sendable {
  /// The status to answer with, before the connection is closed.
  package let status: HTTPStatus
  /// The expectation and the finding, for a log.
  package let reason: String

  package init(_ status: HTTPStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

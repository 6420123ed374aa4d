/// A response, with all of its content.
package struct HTTPResponse: Hashable, Sendable {
  package var status: HTTPStatus
  package var fields: HTTPFields
  package var body: [UInt8]

  package init(_ status: HTTPStatus, fields: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  package init(_ status: HTTPStatus, text: String) {
    self.init(status, fields: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
  }

  /// Creates a response whose body is only its status in words.
  package init(plain status: HTTPStatus) { self.init(status, text: "\(status)\n") }

  /// The way in which the end of a response's content is marked.
  package enum Framing: Sendable {
    case length
    /// By chunks, the last of which is empty.
    case chunks
    case close
  }

  /// Appends the status line and the header to bytes; the content follows, if there is any.
  ///
  /// Only this method writes the fields that frame the message: those of the response are left out. A carriage return,
  /// a
  /// line feed or a NUL in a value is written as a space (RFC 9110, 5.5), so no value can end the header.
  package func writeHead(
    to bytes: inout [UInt8], framing: Framing = .length, keepsConnection: Bool = true, date: String? = nil
  ) {
    bytes.append(contentsOf: "HTTP/1.1 ".utf8)
    bytes.append(contentsOf: String(status.code).utf8)
    bytes.append(0x20)
    bytes.append(contentsOf: status.reason.utf8)
    bytes.append(contentsOf: "\r\n".utf8)
    if let date { Self.write("Date", date, to: &bytes) }
    for field in fields.all where !Self.framing.contains(field.name) {
      Self.write(field.name.text, field.value, to: &bytes)
    }
    switch framing {
    case .length where !status.hasNoContent: Self.write("Content-Length", String(body.count), to: &bytes)
    case .chunks: Self.write("Transfer-Encoding", "chunked", to: &bytes)
    case .length, .close: break
    }
    if !keepsConnection { Self.write("Connection", "close", to: &bytes) }
    bytes.append(contentsOf: "\r\n".utf8)
  }

  /// Appends a chunk of content to bytes; an empty one, which would end the content, is left out.
  package static func writeChunk(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    guard !content.isEmpty else { return }
    bytes.append(contentsOf: String(content.count, radix: 16).utf8)
    bytes.append(contentsOf: "\r\n".utf8)
    bytes.append(contentsOf: content)
    bytes.append(contentsOf: "\r\n".utf8)
  }

  /// The chunk that ends chunked content.
  package static let lastChunk = Array("0\r\n\r\n".utf8)

  private static let framing: [HTTPFieldName] = [.connection, .contentLength, .date, .transferEncoding]

  private static func write(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: ": ".utf8)
    if value.utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }) {
      bytes.append(contentsOf: value.utf8)
    } else {
      bytes.append(contentsOf: value.utf8.lazy.map { $0 == 0x0D || $0 == 0x0A || $0 == 0 ? 0x20 : $0 })
    }
    bytes.append(contentsOf: "\r\n".utf8)
  }
}

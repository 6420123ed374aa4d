package import FlagHTTP
package import FlagTransport

extension Exchange {
  package func answer(_ response: HTTPResponse) {
    deliver(HTTPResponse(response.status, fields: response.fields))
    if !response.body.isEmpty { deliver(response.body) }
    finish()
  }

  package func send(_ event: ServerSentEvent) { deliver(event.bytes) }
}

extension TransportRequest {
  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }
}

import FlagDomain
package import FlagFoundation
package import FlagHTTP
import FlagServices
package import FlagTransport

/// The address and credentials of a service, with the parts that its requests share.
package struct ServiceAddress: Sendable {
  package let url: URL
  let credentials: HTTPFields
  private let tenant: String

  init(_ url: URL, _ credentials: ServiceCredentials?) throws(FlagError) {
    self.url = url
    self.credentials = try HTTPFields(credentials: credentials?.fields ?? [])
    tenant = credentials?.tenant ?? ""
  }

  /// The texts that distinguish this client from others of the service.
  package var client: [String] {
    credentials.all.flatMap { [$0.name.text, $0.value] } + (tenant.isEmpty ? [] : [tenant])
  }

  /// Returns a request with the credentials, on the condition that the answer has another tag.
  package func request(_ method: HTTPMethod, _ url: URL, tag: String?, body: [UInt8] = []) -> TransportRequest {
    var request = TransportRequest(method, url, fields: credentials, body: body)
    request.fields[.accept] = "application/json"
    if !body.isEmpty { request.fields[.contentType] = "application/json" }
    if let tag { request.fields[.ifNoneMatch] = tag }
    return request
  }

  /// Returns a request for a stream of events; the credentials are sent only to the service itself.
  func request(for source: EventSource) -> TransportRequest {
    TransportRequest(.get, source.url, fields: source.url.hasSameOrigin(as: url) ? credentials : [:])
  }
}

extension HTTPFields {
  init(credentials: [(name: String, value: String)]) throws(FlagError) {
    self.init()
    for (name, value) in credentials {
      guard let field = HTTPFields.Field(name, value) else {
        throw FlagError(.providerFatal, "expected the name and the value of a header field, found another for \(name)")
      }
      append(field)
    }
  }
}

package import FlagFoundation
package import FlagHTTP

package struct TransportRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// The address, whose query may be a secret: it is not in any error or description.
  package var url: URL
  package var fields: HTTPFields
  package var body: [UInt8]
  /// Whether the response may be encoded, as by gzip, which the transport decodes.
  package var acceptsCoding = true

  package init(_ method: HTTPMethod, _ url: URL, fields: HTTPFields = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }
}

extension TransportRequest: CustomStringConvertible {
  /// The method and the host, the only parts that are never secret.
  package var description: String { "\(method) \(url.host() ?? "")" }
}

extension URL {
  /// The host with its port, to name a service in errors; without user, path and query.
  package var authority: String {
    let host = host() ?? ""
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }

  /// Returns whether two addresses have the same scheme, host and port, which may be the scheme's own.
  package func hasSameOrigin(as other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased() && host()?.lowercased() == other.host()?.lowercased()
      && effectivePort == other.effectivePort
  }

  private var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""] }
}

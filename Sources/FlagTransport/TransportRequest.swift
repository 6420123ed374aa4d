package import FlagHTTP
package import Foundation

package struct TransportRequest: Hashable, Sendable {
  package var method: HTTPMethod
  /// Where it is sent, whose query may be a secret: no error and no description says it.
  package var url: URL
  package var fields: HTTPFields
  package var body: [UInt8]

  package init(_ method: HTTPMethod, _ url: URL, fields: HTTPFields = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }
}

extension TransportRequest: CustomStringConvertible {
  /// The method and the host: all of a request that is nobody's secret.
  package var description: String { "\(method) \(url.host() ?? "")" }
}

extension URL {
  /// The host with its port, to name a service in errors; without user, path and query.
  package var authority: String {
    let host = host() ?? ""
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }

  /// Returns whether a request to here stays at the same server: same scheme, host and port.
  package func hasSameOrigin(as other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased() && authority.lowercased() == other.authority.lowercased()
  }
}

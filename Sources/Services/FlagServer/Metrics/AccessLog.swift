import FlagDefinitions
import FlagDomain
package import FlagHTTP

/// The lines of an access log, each a JSON object.
///
/// They contain neither a query, which may hold a ticket, nor any header: no line contains a secret.
package enum AccessLog {
  /// Returns the line for a request, including its line break, with a formatted time.
  package static func line(_ request: ServedRequest, time: String) -> String {
    let path = request.target.prefix { $0 != "?" }
    return line([
      "time": .string(time), "peer": .string(request.peer.address), "method": .string(request.method.name),
      "path": .string(String(path)), "route": request.route.map { .string($0.text) } ?? .null,
      "status": .int(Int128(request.status.code)), "bytes": .int(Int128(request.bytes)),
      "microseconds": .int(Int128(request.time / .microseconds(1))),
    ])
  }

  package static func line(_ error: HTTPRequestError, from peer: Peer, time: String) -> String {
    line([
      "time": .string(time), "peer": .string(peer.address), "status": .int(Int128(error.status.code)),
      "refused": .string(error.reason),
    ])
  }

  private static func line(_ fields: [String: FlagValue]) -> String {
    String(decoding: FlagValue.object(fields).written, as: UTF8.self) + "\n"
  }
}

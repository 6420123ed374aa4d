import FlagDomain
import FlagHTTP
import FlagTransport

extension EtcdClient {
  /// Watches keys from a revision of the store, and returns the exchange that delivers the watch's messages.
  ///
  /// If the member has not reached that revision yet, the watch is silent until it does.
  func watch(_ keys: EtcdQuery, from revision: Int64, at member: Int) async throws(EtcdError) -> Exchange {
    var range = ["key": EtcdText.encoded(keys.key), "start_revision": EtcdText.number(max(1, revision))]
    range["range_end"] = keys.end.map { EtcdText.encoded($0) }
    let body = FlagValue.object(["create_request": .object(range)])
    let timeout = settings.attemptTimeout * 3
    return try await authenticated(at: member, timeout: timeout) { token throws(EtcdError) in
      let request = try request("watch", body, at: member, token: token, needsLeader: true)
      let (response, exchange): (HTTPResponse, Exchange)
      do throws(TransportError) {
        (response, exchange) = try await http.begin(request, timeout: timeout)
      } catch {
        throw .unreachable(error)
      }
      guard response.status == .ok else {
        exchange.fail(.cancelled)
        throw EtcdError(response)
      }
      return exchange
    }
  }
}

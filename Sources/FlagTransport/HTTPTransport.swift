/// What sends requests: the one thing that a test replaces.
package protocol HTTPTransport: Sendable {
  /// Sends a request, and returns at once; what comes back is delivered to the exchange.
  ///
  /// It follows no redirect, keeps no cookie and caches nothing. It may be called from any thread. Of bytes that nobody
  /// receives no more than the limit are kept.
  func send(_ request: TransportRequest, limit: Int) -> Exchange
}

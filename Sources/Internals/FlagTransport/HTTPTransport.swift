/// A transport that sends requests: the only part of the client that tests replace.
package protocol HTTPTransport: Sendable {
  /// Sends a request, and returns at once; the response is delivered to the exchange.
  ///
  /// It follows no redirect, stores no cookie and caches nothing. It may be called from any thread. It buffers no more
  /// unreceived bytes than the limit.
  func send(_ request: TransportRequest, limit: Int) -> Exchange
}

#if canImport(Glibc)
  package typealias SystemTransport = CurlTransport
#else
  package typealias SystemTransport = URLSessionTransport
#endif

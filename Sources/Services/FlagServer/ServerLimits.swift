package import FlagHTTP

/// The limits on a server's connections, on the time that it waits for them, and on the size of requests.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum sizes of the parts of a request.
  package var request = HTTPLimits()
  /// The maximum number of open connections; above it, an idle one is closed, or 503 is answered if all are busy.
  package var connections = 2048
  /// The maximum number of open connections of one address; nil for half of ``connections``.
  ///
  /// Behind a proxy, all clients have its address.
  package var peerConnections: Int?
  /// The number of connections, besides ``connections``, that are open to health checks alone.
  package var healthConnections = 16
  /// The maximum time for the header of a request, from its first byte, or from the start of the connection.
  package var headerTime = Duration.seconds(10)
  package var bodyTime = Duration.seconds(30)
  /// The maximum time for which a connection may be idle between two requests.
  ///
  /// It is above the minute of common balancers: a connection that both ends close at once loses a request.
  package var idleTime = Duration.seconds(75)
  /// The proxies whose fields about their clients are believed; the limits of an address are not for them.
  package var proxies = TrustedProxies()
  package var handlerTime = Duration.seconds(30)
  /// The maximum time for a client to read each 64 KiB of a response, or the rest of it.
  package var writeTime = Duration.seconds(30)
  /// The time without events after which a stream sends a heartbeat.
  package var heartbeatTime = Duration.seconds(15)
  /// The maximum time for a rejected client to read the reason.
  package var lingerTime = Duration.seconds(2)
  /// The maximum time for which stopping waits for requests in progress.
  package var stopTime = Duration.seconds(10)

  package init() {}
}

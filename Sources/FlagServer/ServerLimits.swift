package import FlagHTTP

/// How many connections a server keeps, how long it waits for them, and how much it takes from each.
package struct ServerLimits: Hashable, Sendable {
  /// How long the parts of a request may be.
  package var request = HTTPLimits()
  /// How many connections are open at a time; beyond, idle ones are closed, and where there is none, 503 is answered.
  package var connections = 2048
  /// How long the header of a request may take, from its first byte, or from when the client connected.
  package var headerTime = Duration.seconds(10)
  package var bodyTime = Duration.seconds(30)
  /// How long a connection may be idle between two requests.
  package var idleTime = Duration.seconds(60)
  package var handlerTime = Duration.seconds(30)
  /// How long a client may take to read each 64 KiB of a response, or what is left of it.
  package var writeTime = Duration.seconds(30)
  /// How long a stream of events may say nothing before a heartbeat is sent.
  package var heartbeatTime = Duration.seconds(15)
  /// How long a client that was refused may take to read why.
  package var lingerTime = Duration.seconds(2)
  /// How long stopping waits for requests that are under way.
  package var stopTime = Duration.seconds(10)

  package init() {}
}

package import FlagHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What a server has from outside.
package struct ServerEnvironment: Sendable {
  /// The time that limits are counted in.
  package var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The time that clients are told.
  package var date: @Sendable () -> HTTPDate = { HTTPDate(secondsSince1970: Int(time(nil))) }
  /// Receives each request that was answered, on the thread of the event loop: it must not block.
  package var observe: @Sendable (ServedRequest) -> Void = { _ in }
  /// Is told of each client that was refused before its request reached a handler, or because none answered in time; on
  /// a thread that serves.
  package var refuse: @Sendable (HTTPRequestError, Peer) -> Void = { _, _ in }
  /// Is told of each error of a handler, of which clients learn nothing, on any thread.
  package var report: @Sendable (any Error, ServerRequest) -> Void = { _, _ in }

  /// Creates the usual environment.
  package init() {}
}

/// A request that was answered.
package struct ServedRequest: Hashable, Sendable {
  package let method: HTTPMethod
  package let target: String
  package let peer: Peer
  /// The pattern of the route that answered it, where one did.
  package var route: RoutePattern?
  package var status: HTTPStatus
  /// The bytes of content.
  package var bytes: Int
  /// From when the request had come whole to when its answer was there.
  package var time: Duration
}

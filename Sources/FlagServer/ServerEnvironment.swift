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
  package var date: @Sendable () -> HTTPDate = { HTTPDate(secondsSince1970: Int64(time(nil))) }
  /// Receives each request that was answered, on the thread of the event loop: it must not block.
  package var observe: @Sendable (ServedRequest) -> Void = { _ in }
  /// Is told of each client that was refused before its request reached a handler, or because none answered in time; on
  /// a thread that serves.
  package var refuse: @Sendable (HTTPRequestError, Peer) -> Void = { _, _ in }
  /// Is told of each error of a handler, of which clients learn nothing, on any thread.
  package var report: @Sendable (any Error, ServerRequest) -> Void = { _, _ in }
  /// Receives each change of the socket that clients connect to, on the thread of the event loop: it must not block.
  package var observeListener: @Sendable (ListenerEvent) -> Void = { _ in }

  package init() {}
}

package struct ServedRequest: Hashable, Sendable {
  package let method: HTTPMethod
  package let target: String
  package let peer: Peer
  /// The pattern of the route that answered it, where one did.
  package var route: RoutePattern?
  package var status: HTTPStatus
  package var bytes: Int
  /// From when the request had come whole to when its answer was there.
  package var time: Duration
}

package enum ListenerEvent: Hashable, Sendable {
  /// The system has ended the socket, as iOS does when it suspends an app; the server opens another one.
  case lost(SocketError)
  /// No other socket can be opened yet; the server tries again, and reports each reason once.
  case notReopened(SocketError)
  /// The server listens again, at the same port.
  case reopened(port: Int)
}

extension ListenerEvent: CustomStringConvertible {
  package var description: String {
    switch self {
    case .lost(let error): "the system closed the listening socket: \(error)"
    case .notReopened(let error): "cannot listen again yet: \(error)"
    case .reopened(let port): "listening again on port \(port)"
    }
  }
}

package import FlagHTTP

/// The dependencies of a server on the outside: time and observers.
package struct ServerEnvironment: Sendable {
  /// The time by which limits are measured.
  package var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The date that responses carry.
  package var date: @Sendable () -> HTTPDate = { .now }
  /// Receives each answered request, on the thread of the event loop: it must not block.
  package var observe: @Sendable (ServedRequest) -> Void = { _ in }
  /// Receives each client that was rejected before its request reached a handler, or because no handler answered in
  /// time; on a server thread.
  package var refuse: @Sendable (HTTPRequestError, Peer) -> Void = { _, _ in }
  /// Receives each error of a handler, which clients do not see, on any thread.
  package var report: @Sendable (any Error, ServerRequest) -> Void = { _, _ in }
  /// Receives each change of the socket that clients connect to, on the thread of the event loop: it must not block.
  package var observeListener: @Sendable (ListenerEvent) -> Void = { _ in }

  package init() {}
}

package struct ServedRequest: Hashable, Sendable {
  package let method: HTTPMethod
  package let target: String
  package let peer: Peer
  /// The pattern of the route that answered it, if one did.
  package var route: RoutePattern?
  package var status: HTTPStatus
  package var bytes: Int
  /// The time from the complete request to its response.
  package var time: Duration
}

package enum ListenerEvent: Hashable, Sendable {
  /// The system has ended the socket, as iOS does when it suspends an app; the server opens a new one.
  case lost(SocketError)
  /// No new socket can be opened yet; the server retries, and reports each reason once.
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

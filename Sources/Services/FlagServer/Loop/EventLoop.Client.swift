import FlagDomain
import FlagHTTP

extension EventLoop {
  final class Client {
    let id: Int
    let descriptor: Descriptor
    let peer: Peer
    /// Whose connection it counts as: the client for which a proxy sends, while it is answered.
    var counted: Peer
    let place: Admissions.Place
    var connection: Connection
    /// Its place among those that are polled with it.
    var index = 0
    var isQuiet = false
    var task: Task<Void, Never>?
    var served: ServedRequest?
    var began: Instant
    var wasReported = false
    var message: HTTPRequest?
    var stream: (feed: EventFeed, subscription: FlagSubscription, position: EventFeed.Position)?

    init(
      id: Int, descriptor: Descriptor, peer: Peer, place: Admissions.Place, connection: Connection, now: Instant
    ) {
      self.id = id
      self.descriptor = descriptor
      self.peer = peer
      counted = peer
      self.place = place
      self.connection = connection
      began = now
    }
  }
}

import FlagDomain
import FlagHTTP

extension EventLoop {
  final class Client {
    let id: Int
    let descriptor: Descriptor
    let peer: Peer
    let place: Admissions.Place
    var connection: Connection
    var index: Int
    var task: Task<Void, Never>?
    var served: ServedRequest?
    var began: Instant
    var wasReported = false
    var message: HTTPRequest?
    var stream: (feed: EventFeed, subscription: FlagSubscription, position: EventFeed.Position)?

    init(
      id: Int, descriptor: Descriptor, peer: Peer, place: Admissions.Place, connection: Connection, index: Int,
      now: Instant
    ) {
      self.id = id
      self.descriptor = descriptor
      self.peer = peer
      self.place = place
      self.connection = connection
      self.index = index
      began = now
    }
  }
}

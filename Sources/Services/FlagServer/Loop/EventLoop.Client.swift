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

  /// Clients that are polled together, each at the same place as its descriptor, after those of others.
  struct Polled {
    private(set) var clients: [Client] = []
    var polls: [PolledDescriptor]
    private let others: Int

    init(after polls: [PolledDescriptor] = []) {
      self.polls = polls
      others = polls.count
    }

    mutating func poll(timeout: Int32) -> Int32 { polls.poll(milliseconds: timeout) }

    /// Returns the events that the last poll found of a client.
    func events(at index: Int) -> PollEvents { polls[index + others].found }

    mutating func setEvents(_ events: PollEvents, of client: Client) {
      polls[client.index + others].awaited = events
    }

    /// Adds a client, which is polled for input.
    mutating func add(_ client: Client) {
      client.index = clients.count
      clients.append(client)
      polls.append(PolledDescriptor(client.descriptor))
    }

    /// Removes a client; the last one takes its place.
    mutating func remove(_ client: Client) {
      clients.swapAt(client.index, clients.count - 1)
      polls.swapAt(client.index + others, polls.count - 1)
      clients[client.index].index = client.index
      clients.removeLast()
      polls.removeLast()
    }
  }
}

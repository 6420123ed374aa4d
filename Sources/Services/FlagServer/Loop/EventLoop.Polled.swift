#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension EventLoop {
  /// Clients that are polled together, each at the same place as its descriptor, after those of others.
  struct Polled {
    private(set) var clients: [Client] = []
    var polls: [pollfd]
    private let others: Int

    init(after polls: [pollfd] = []) {
      self.polls = polls
      others = polls.count
    }
  }
}

extension EventLoop.Polled {
  mutating func poll(timeout: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.poll(&polls, nfds_t(polls.count), timeout)
    #elseif canImport(Glibc)
      Glibc.poll(&polls, nfds_t(polls.count), timeout)
    #else
      Musl.poll(&polls, nfds_t(polls.count), timeout)
    #endif
  }

  /// Returns the events that the last poll found of a client.
  func events(at index: Int) -> Int32 { Int32(polls[index + others].revents) }

  mutating func setEvents(_ events: Int32, of client: EventLoop.Client) {
    polls[client.index + others].events = Int16(events)
  }

  /// Adds a client, which is polled for input.
  mutating func add(_ client: EventLoop.Client) {
    client.index = clients.count
    clients.append(client)
    polls.append(pollfd(fd: client.descriptor.rawValue, events: Int16(POLLIN), revents: 0))
  }

  /// Removes a client; the last one takes its place.
  mutating func remove(_ client: EventLoop.Client) {
    clients.swapAt(client.index, clients.count - 1)
    polls.swapAt(client.index + others, polls.count - 1)
    clients[client.index].index = client.index
    clients.removeLast()
    polls.removeLast()
  }
}

import FlagHTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An event loop that moves bytes between sockets and connections, confined to one thread.
///
/// It makes no decisions: each connection decides what to read, when to write and when to close. It uses `poll`, which
/// is the same on every system.
final class EventLoop {
  typealias Instant = ContinuousClock.Instant

  let mailbox: Mailbox
  let service: Service
  let limits: ServerLimits
  let environment: ServerEnvironment
  var now: Instant
  var date = ""
  private var dateSeconds: Int64?
  var listener: Listener?
  /// The address of the current or last listener.
  var address: Listener.Address?
  var recovery: ListenerRecovery
  /// The time at which a pause of the listener is over, or a new one is opened.
  var listenerDue: Instant?
  let others: [Mailbox]
  var nextLoop = 0
  var clients: [Client] = []
  var clientsByID: [Int: Client] = [:]
  /// The connections that are open to all requests, counted.
  var admissions: Admissions
  var nextID = 0
  /// The descriptors to poll: the mailbox, the listener, then one for each client, in their order.
  var polls: [pollfd]
  /// The earliest time at which anything is due.
  var earliest: Instant
  var stopDeadline: Instant?
  var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Creates a loop; the one that listens distributes the clients among all.
  init(
    mailbox: Mailbox, others: [Mailbox], service: Service, limits: ServerLimits, environment: ServerEnvironment
  ) {
    self.mailbox = mailbox
    self.others = others
    self.service = service
    self.limits = limits
    self.environment = environment
    admissions = Admissions(limits, loops: others.count)
    now = environment.now()
    earliest = now
    recovery = ListenerRecovery(openedAt: now)
    polls = [
      pollfd(fd: mailbox.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: -1, events: Int16(POLLIN), revents: 0),
    ]
  }
}

extension EventLoop {
  func run() {
    while stopDeadline == nil || !clients.isEmpty {
      let ready = poll(&polls, nfds_t(polls.count), timeout)
      updateTime()
      if ready > 0 {
        // Backwards, since the last client, which has been served, takes the place of a removed one.
        for index in clients.indices.reversed() where polls[index + 2].revents != 0 {
          serve(clients[index], events: Int32(polls[index + 2].revents))
        }
        if polls[1].revents != 0 { acceptClients(events: Int32(polls[1].revents)) }
        if polls[0].revents != 0 { for message in mailbox.take() { take(message) } }
      }
      if earliest <= now { expire() }
    }
    mailbox.close()
  }

  /// The timeout of `poll` in milliseconds, rounded up, so that everything due by then is due.
  private var timeout: Int32 {
    let milliseconds = (earliest - now) / .milliseconds(1)
    return Int32(max(0, min(60_000, milliseconds.rounded(.up))))
  }

  private func updateTime() {
    now = environment.now()
    let wall = environment.date()
    guard wall.secondsSince1970 != dateSeconds else { return }
    dateSeconds = wall.secondsSince1970
    date = wall.description
  }

  private func take(_ message: Mailbox.Message) {
    switch message {
    case .listen(let listener): listen(listener)
    case .connected(let descriptor, let peer): adopt(descriptor, peer)
    case .reply(let reply, let id):
      guard let client = clientsByID[id] else { return }
      client.task = nil
      answer(client, with: reply)
      advance(client)
    case .event(let id): if let client = clientsByID[id] { advance(client) }
    case .stop: stop(within: limits.stopTime)
    case .close: stop(within: .zero)
    }
  }

  private func stop(within time: Duration) {
    stopListening()
    stopDeadline = min(now + time, stopDeadline ?? now + time)
    earliest = min(earliest, now + time)
    for client in clients {
      client.connection.drain(now: now)
      advance(client)
    }
  }

  private func expire() {
    earliest = now + .seconds(60)
    resumeListening()
    if let listenerDue { earliest = min(earliest, listenerDue) }
    if let stopDeadline {
      if stopDeadline <= now { for client in clients { client.connection.close() } }
      earliest = min(earliest, stopDeadline)
    }
    for client in clients {
      if client.connection.deadline <= now || client.connection.phase == .closed {
        if case .cancel = client.connection.expire(now: now, date: date) { client.task?.cancel() }
        advance(client)
      } else {
        earliest = min(earliest, client.connection.deadline)
      }
    }
  }
}

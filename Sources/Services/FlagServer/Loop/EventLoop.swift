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
  var clientsByID: [Int: Client] = [:]
  /// The connections that are open to all requests, counted.
  var admissions: Admissions
  var nextID = 0
  /// The mailbox, the listener, and the clients of which something is expected soon.
  var active: Polled
  /// The clients of streams that have received everything: thousands of them would slow down each poll.
  ///
  /// They are polled from time to time, to notice their end. An event is sent to them without being polled.
  var quiet = Polled()
  private var quietDue: Instant
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
    quietDue = now
    recovery = ListenerRecovery(openedAt: now)
    active = Polled(after: [
      pollfd(fd: mailbox.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: -1, events: Int16(POLLIN), revents: 0),
    ])
  }

  func run() {
    while stopDeadline == nil || !clientsByID.isEmpty {
      let ready = active.poll(timeout: timeout)
      updateTime()
      if ready > 0 {
        serve(\.active)
        let (ofMailbox, ofListener) = (active.polls[0].revents, active.polls[1].revents)
        if ofListener != 0 { acceptClients(events: Int32(ofListener)) }
        if ofMailbox != 0 { for message in mailbox.take() { take(message) } }
      }
      if ready == 0 || quietDue <= now, !quiet.clients.isEmpty {
        quietDue = now + .milliseconds(Self.quietMilliseconds)
        if quiet.poll(timeout: 0) > 0 { serve(\.quiet) }
      }
      if earliest <= now { expire() }
    }
    mailbox.close()
  }

  /// The interval at which clients are polled that are quiet.
  private static let quietMilliseconds = 500

  /// The timeout of `poll` in milliseconds, rounded up, so that everything due by then is due.
  private var timeout: Int32 {
    let milliseconds = (earliest - now) / .milliseconds(1)
    return Int32(
      max(0, min(quiet.clients.isEmpty ? 60_000 : Double(Self.quietMilliseconds), milliseconds.rounded(.up))))
  }

  /// Serves the clients that have events.
  private func serve(_ polled: KeyPath<EventLoop, Polled>) {
    // Backwards, since the last client, which has been served, takes the place of a removed one.
    for index in self[keyPath: polled].clients.indices.reversed() {
      let events = self[keyPath: polled].events(at: index)
      if events != 0 { serve(self[keyPath: polled].clients[index], events: events) }
    }
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
    for client in active.clients + quiet.clients {
      client.connection.drain(now: now)
      advance(client)
    }
  }

  private func expire() {
    earliest = now + .seconds(60)
    resumeListening()
    if let listenerDue { earliest = min(earliest, listenerDue) }
    if let stopDeadline {
      if stopDeadline <= now { for client in clientsByID.values { client.connection.close() } }
      earliest = min(earliest, stopDeadline)
    }
    for client in active.clients + quiet.clients {
      if client.connection.deadline <= now || client.connection.phase == .closed {
        if case .cancel = client.connection.expire(now: now, date: date) { client.task?.cancel() }
        advance(client)
      } else {
        earliest = min(earliest, client.connection.deadline)
      }
    }
  }
}

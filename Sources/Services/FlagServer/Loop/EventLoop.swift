import FlagDomain
import FlagHTTP
import Synchronization

/// An event loop that moves bytes between sockets and connections, confined to one thread.
///
/// It makes no decisions: each connection decides what to read, when to write and when to close. It uses `poll`, which
/// is the same on every system.
final class EventLoop {
  typealias Instant = ContinuousClock.Instant

  private let mailbox: Mailbox
  private let service: Service
  private let limits: ServerLimits
  private let environment: ServerEnvironment
  private var now: Instant
  private var date = ""
  private var dateSeconds: Int64?
  private var listener: Listener?
  /// The address of the current or last listener.
  private var address: Listener.Address?
  private var recovery: ListenerRecovery
  /// The time at which a pause of the listener is over, or a new one is opened.
  private var listenerDue: Instant?
  private let others: [Mailbox]
  private var nextLoop = 0
  private var clientsByID: [Int: Client] = [:]
  /// The connections that are open to all requests, counted.
  private var admissions: Admissions
  private var nextID = 0
  /// The mailbox, the listener, and the clients of which something is expected soon.
  private var active: Polled
  /// The clients of streams that have received everything: thousands of them would slow down each poll.
  ///
  /// They are polled from time to time, to notice their end. An event is sent to them without being polled.
  private var quiet = Polled()
  private var quietDue: Instant
  /// The earliest time at which anything is due.
  private var earliest: Instant
  private var stopDeadline: Instant?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

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
      PolledDescriptor(mailbox.descriptor), PolledDescriptor(nil),
    ])
  }

  func run() {
    while stopDeadline == nil || !clientsByID.isEmpty {
      let ready = active.poll(timeout: timeout)
      updateTime()
      if ready > 0 {
        serve(\.active)
        let (ofMailbox, ofListener) = (active.polls[0].found, active.polls[1].found)
        if !ofListener.isEmpty { acceptClients(events: ofListener) }
        if !ofMailbox.isEmpty { for message in mailbox.take() { take(message) } }
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
      if !events.isEmpty { serve(self[keyPath: polled].clients[index], events: events) }
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

  // MARK: Listening

  private func listen(_ listener: Listener) {
    self.listener = listener
    address = listener.address
    active.polls[1] = PolledDescriptor(listener.descriptor)
    listenerDue = nil
  }

  private func stopListening() {
    listener = nil
    listenerDue = nil
    active.polls[1] = PolledDescriptor(nil)
  }

  /// Accepts the waiting clients, after the system has reported events of the listener.
  private func acceptClients(events: PollEvents) {
    // Further clients have their turn after the connected ones have been served.
    for attempt in 0..<64 {
      guard let listener else { return }
      let acceptance = listener.accept()
      if case .client(let descriptor, let peer) = acceptance { assign(descriptor, peer) }
      let isHungUp = !events.isDisjoint(with: [.hangUp, .invalid])
      switch recovery.step(after: acceptance, isFirst: attempt == 0, isHungUp: isHungUp, now: now) {
      case .accept: continue
      case .wait: return
      case .pause(let time):
        active.polls[1].awaited = []
        return setListenerDue(after: time)
      case .replace(let delay, let error):
        stopListening()
        environment.observeListener(.lost(error))
        return setListenerDue(after: delay)
      }
    }
  }

  private func assign(_ descriptor: Descriptor, _ peer: Peer) {
    nextLoop = (nextLoop + 1) % others.count
    if others[nextLoop] === mailbox {
      adopt(descriptor, peer)
    } else {
      others[nextLoop].post(.connected(descriptor, peer))
    }
  }

  /// Continues after a pause: with the current listener, or with a new one in its place.
  private func resumeListening() {
    guard let due = listenerDue, due <= now else { return }
    listenerDue = nil
    guard listener == nil else { return active.polls[1].awaited = .input }
    guard let address else { return }
    do throws(SocketError) {
      listen(try Listener(host: address.host, port: address.port))
      recovery.opened(now: now)
      environment.observeListener(.reopened(port: address.port))
    } catch {
      let (delay, isNew) = recovery.openingFailed(error)
      if isNew { environment.observeListener(.notReopened(error)) }
      setListenerDue(after: delay)
    }
  }

  private func setListenerDue(after time: Duration) {
    listenerDue = now + time
    earliest = min(earliest, now + time)
  }

  // MARK: Clients

  private func adopt(_ descriptor: Descriptor, _ peer: Peer) {
    guard stopDeadline == nil else { return }
    makeRoom(for: peer)
    guard let place = admissions.admit(peer) else { return refuse(descriptor, peer) }
    let connection = Connection(limits: limits, isPersistent: place == .open, now: now)
    let client = Client(
      id: nextID, descriptor: descriptor, peer: peer, place: place, connection: connection, now: now)
    nextID += 1
    active.add(client)
    clientsByID[client.id] = client
    earliest = min(earliest, connection.deadline)
    mailbox.connections.wrappingAdd(1, ordering: .relaxed)
  }

  /// Closes an idle connection if a client would have no place otherwise.
  private func makeRoom(for peer: Peer) {
    guard let crowding = admissions.crowding(for: peer) else { return }
    let idle = active.clients.first { client in
      client.place == .open && client.connection.isIdle && (crowding == .all || client.peer.address == peer.address)
    }
    if let idle { remove(idle) }
  }

  /// Answers a client that has no place, as far as it can be written at once.
  private func refuse(_ descriptor: Descriptor, _ peer: Peer) {
    var connection = Connection(limits: limits, now: now)
    connection.refuse(busy, now: now, date: date)
    environment.refuse(busy, peer)
    if let (bytes, _) = connection.output.first { _ = descriptor.send(bytes, from: 0) }
  }

  /// The error of a client beyond the limits.
  private var busy: HTTPRequestError {
    HTTPRequestError(.serviceUnavailable, "expected at most \(limits.connections) connections, found more")
  }

  private func remove(_ client: Client) {
    guard clientsByID.removeValue(forKey: client.id) != nil else { return }
    admissions.leave(client.counted, client.place)
    client.task?.cancel()
    client.stream?.subscription.cancel()
    if client.isQuiet { quiet.remove(client) } else { active.remove(client) }
    mailbox.connections.wrappingSubtract(1, ordering: .relaxed)
  }

  private func serve(_ client: Client, events: PollEvents) {
    if !events.isDisjoint(with: [.failure, .invalid]) {
      client.connection.close()
    } else if !events.isDisjoint(with: [.input, .hangUp]) {
      if client.connection.wantsInput {
        switch client.descriptor.receive(into: &buffer) {
        case .bytes(0): client.connection.receiveEnd()
        case .bytes(let count): client.connection.receive(buffer[..<count])
        case .blocked: break
        case .failed: client.connection.close()
        }
      } else if events.contains(.hangUp) {
        client.connection.close()
      }
    }
    advance(client)
  }

  private func advance(_ client: Client) {
    var mayPull = true
    while true {
      while let message = client.connection.nextRequest(now: now, date: date) { handle(message, of: client) }
      if mayPull, client.connection.wantsEvent {
        mayPull = false
        pull(client)
      }
      guard let (bytes, sent) = client.connection.output.first else { break }
      switch client.descriptor.send(bytes, from: sent) {
      case .bytes(let count):
        if case .endOutput = client.connection.sent(count, now: now) { client.descriptor.endOutput() }
        continue
      case .failed: client.connection.close()
      case .blocked: break
      }
      break
    }
    if let refusal = client.connection.refusal, !client.wasReported {
      client.wasReported = true
      environment.refuse(refusal, client.peer)
    }
    guard client.connection.phase != .closed else { return remove(client) }
    earliest = min(earliest, client.connection.deadline)
    guard clientsByID[client.id] != nil else { return }
    setQuiet(client, client.connection.wantsEvent)
    guard !client.isQuiet else { return }
    var events: PollEvents = client.connection.wantsInput ? .input : []
    if !client.connection.output.isEmpty { events.insert(.output) }
    active.setEvents(events, of: client)
  }

  private func setQuiet(_ client: Client, _ isQuiet: Bool) {
    guard isQuiet != client.isQuiet else { return }
    client.isQuiet = isQuiet
    if isQuiet {
      active.remove(client)
      quiet.add(client)
    } else {
      quiet.remove(client)
      active.add(client)
    }
  }

  private func pull(_ client: Client) {
    guard let feed = client.stream?.feed, var position = client.stream?.position else { return }
    switch feed.next(&position) {
    case .event(let event, let isLast):
      client.stream?.position = position
      client.connection.sendEvent(event, now: now)
      if isLast { client.connection.endEvents(now: now) }
    case .nothing: break
    case .end: client.connection.endEvents(now: now)
    }
  }

  // MARK: Requests

  private func handle(_ message: HTTPRequest, of client: Client) {
    client.message = message
    client.began = now
    let (peer, prefix) = limits.proxies.client(of: message, from: client.peer)
    client.served = ServedRequest(
      method: message.method, target: message.target, peer: peer, route: nil, status: .ok, bytes: 0, time: .zero)
    let plan = service.plan(message, from: peer, forwardedPrefix: prefix)
    guard client.place == .open ? count(client, as: peer) : plan.isHealthCheck else {
      return client.connection.refuse(busy, now: now, date: date)
    }
    switch plan {
    case .reply(let response): send(.response(response), to: client)
    case .handle(let route, let request):
      client.served?.route = route.pattern
      switch route.handler {
      case .immediate(let body):
        do {
          answer(client, with: try body(request))
        } catch {
          environment.report(error, request)
          answer(client, with: .response(HTTPResponse(plain: .internalServerError)))
        }
      case .waiting(let body): client.task = task(body, request, client.id)
      }
    }
  }

  /// Counts a client's connection as a peer's, and returns whether that has a place.
  private func count(_ client: Client, as peer: Peer) -> Bool {
    guard admissions.reassign(client.counted, to: peer) else { return false }
    client.counted = peer
    return true
  }

  /// Runs a handler in a task, which posts its result; it refers to the client only by its number.
  private func task(
    _ body: @escaping @Sendable (ServerRequest) async throws -> ServerReply, _ request: ServerRequest, _ id: Int
  ) -> Task<Void, Never> {
    Task { [mailbox, environment] in
      do {
        mailbox.post(.reply(try await body(request), connection: id))
      } catch {
        if !Task.isCancelled { environment.report(error, request) }
        mailbox.post(.reply(.response(HTTPResponse(plain: .internalServerError)), connection: id))
      }
    }
  }

  /// Sends a client the reply of a handler, unless the request has timed out.
  private func answer(_ client: Client, with reply: ServerReply) {
    guard client.connection.phase == .handling, let message = client.message else { return }
    send(service.decorated(reply, for: message), to: client)
  }

  private func send(_ reply: ServerReply, to client: Client) {
    switch reply {
    case .response(let response):
      client.connection.respond(response, now: now, date: date)
      client.served?.status = response.status
      client.served?.bytes = response.body.count
    case .events(let feed, let fields):
      client.connection.startEvents(fields: fields, now: now, date: date)
      guard client.connection.phase == .streaming else { break }
      let position = feed.position(lastEventID: client.message?.fields[.lastEventID])
      let subscription = feed.subscribe { [mailbox, id = client.id] in mailbox.post(.event(connection: id)) }
      client.stream = (feed, subscription, position)
    }
    client.message = nil
    // A proxy's next request may be another client's; a stream stays its client's.
    if client.stream == nil, client.place == .open { _ = count(client, as: client.peer) }
    guard var served = client.served else { return }
    client.served = nil
    served.time = environment.now() - client.began
    environment.observe(served)
  }
}

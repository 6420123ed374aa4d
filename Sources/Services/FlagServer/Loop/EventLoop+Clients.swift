import FlagDomain
import FlagHTTP
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension EventLoop {
  func adopt(_ descriptor: Descriptor, _ peer: Peer) {
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
  var busy: HTTPRequestError {
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

  func serve(_ client: Client, events: Int32) {
    if events & (POLLERR | POLLNVAL) != 0 {
      client.connection.close()
    } else if events & (POLLIN | POLLHUP) != 0 {
      if client.connection.wantsInput {
        switch client.descriptor.receive(into: &buffer) {
        case .bytes(0): client.connection.receiveEnd()
        case .bytes(let count): client.connection.receive(buffer[..<count])
        case .blocked: break
        case .failed: client.connection.close()
        }
      } else if events & POLLHUP != 0 {
        client.connection.close()
      }
    }
    advance(client)
  }

  func advance(_ client: Client) {
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
    let input = client.connection.wantsInput ? POLLIN : 0
    let output = client.connection.output.isEmpty ? 0 : POLLOUT
    if !client.isQuiet { active.setEvents(input | output, of: client) }
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
}

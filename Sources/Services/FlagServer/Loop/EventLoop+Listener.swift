#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension EventLoop {
  func listen(_ listener: Listener) {
    self.listener = listener
    address = listener.address
    active.polls[1].fd = listener.descriptor.rawValue
    active.polls[1].events = Int16(POLLIN)
    listenerDue = nil
  }

  func stopListening() {
    listener = nil
    listenerDue = nil
    active.polls[1].fd = -1
  }

  /// Accepts the waiting clients, after the system has reported events of the listener.
  func acceptClients(events: Int32) {
    // Further clients have their turn after the connected ones have been served.
    for attempt in 0..<64 {
      guard let listener else { return }
      let acceptance = listener.accept()
      if case .client(let descriptor, let peer) = acceptance { assign(descriptor, peer) }
      let isHungUp = events & (POLLHUP | POLLNVAL) != 0
      switch recovery.step(after: acceptance, isFirst: attempt == 0, isHungUp: isHungUp, now: now) {
      case .accept: continue
      case .wait: return
      case .pause(let time):
        active.polls[1].events = 0
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
  func resumeListening() {
    guard let due = listenerDue, due <= now else { return }
    listenerDue = nil
    guard listener == nil else { return active.polls[1].events = Int16(POLLIN) }
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
}

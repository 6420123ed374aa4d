import FlagDomain
import FlagSupport
import Synchronization

/// A small HTTP/1.1 server, which runs from its creation until it is stopped.
///
/// Immediate handlers run on its threads; each connection belongs to one of them. The server listens from the first
/// moment, so nobody else can take the port. If the system ends its listening socket, it opens another one on the same
/// port.
package final class HTTPServer: Sendable {
  /// The port that it listens at, even if the system chose it.
  package let port: Int
  private let mailboxes: [Mailbox]
  private let end: End

  /// Creates a server that listens and serves at once.
  ///
  /// - Parameters:
  ///   - service: The service that answers the requests.
  ///   - host: The name or the numeric address to listen at.
  ///   - port: The port; at 0 the system chooses one.
  ///   - threads: The number of threads that serve, at least one.
  ///   - limits: The limits for clients.
  ///   - environment: The clock, and the receivers of logs and errors.
  /// - Throws: The system's error if it cannot listen there, or has no descriptors or threads left.
  package init(
    _ service: Service, host: String = "127.0.0.1", port: Int = 0, threads: Int = 1,
    limits: ServerLimits = ServerLimits(), environment: ServerEnvironment = ServerEnvironment()
  ) throws(SocketError) {
    let listener = try Listener(host: host, port: port)
    var mailboxes: [Mailbox] = []
    for _ in 0..<max(1, threads) { mailboxes.append(try Mailbox()) }
    self.port = listener.address.port
    self.mailboxes = mailboxes
    end = End()
    // Only the loop references the listener, so that it is closed as soon as the loop stops.
    mailboxes[0].post(.listen(listener))
    for mailbox in mailboxes {
      end.add()
      do throws(SystemError) {
        try SystemThread.start("flags.server") { [end, mailboxes] in
          EventLoop(
            mailbox: mailbox, others: mailboxes, service: service, limits: limits, environment: environment
          ).run()
          end.leave()
        }
      } catch {
        end.leave()
        for mailbox in mailboxes { mailbox.post(.close) }
        throw SocketError("pthread_create", code: error.code)
      }
    }
  }

  deinit { for mailbox in mailboxes { mailbox.post(.close) } }

  package var connections: Int { mailboxes.reduce(0) { $0 + $1.connections.load(ordering: .relaxed) } }

  /// Accepts no more connections, ends streams, finishes requests, and returns when all are done or the time limit is
  /// reached.
  package func stop() async {
    for mailbox in mailboxes { mailbox.post(.stop) }
    await end.wait()
  }

  /// Makes the server read its clock again, after a test has moved it.
  package func wake() { for mailbox in mailboxes { mailbox.wake() } }
}

private final class End: Sendable {
  private let state = Locked((threads: 0, waiters: [CheckedContinuation<Void, Never>]()))

  func add() { state.withLock { $0.threads += 1 } }

  func leave() {
    let waiters = state.withLock { state in
      state.threads -= 1
      guard state.threads == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        if state.threads > 0 { state.waiters.append(waiter) }
        return state.threads == 0
      }
      if isOver { waiter.resume() }
    }
  }
}

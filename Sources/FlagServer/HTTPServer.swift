import FlagDomain
import Synchronization

/// A small server of HTTP/1.1, from when it is made until it is stopped.
///
/// Handlers that answer at once run on its threads; each connection belongs to one of them. It serves from the first
/// moment, so whoever needs the port has it. Where the system ends its listening socket, it opens another one on the
/// same port.
package final class HTTPServer: Sendable {
  /// The port that it listens at, also where the system chose it.
  package let port: Int
  private let mailboxes: [Mailbox]
  private let end: End

  /// Listens, and serves.
  ///
  /// - Parameters:
  ///   - service: What it answers.
  ///   - host: The name or the numeric address to listen at.
  ///   - port: The port; at 0 the system chooses one.
  ///   - threads: How many threads serve, at least one.
  ///   - limits: What clients may do.
  ///   - environment: Time, and who is told what was served.
  /// - Throws: What the system says where it cannot listen there, or has no descriptors or threads left.
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
    // The loop alone has the listener, so that it is closed as soon as the loop stops.
    mailboxes[0].post(.listen(listener))
    for mailbox in mailboxes {
      end.add()
      do throws(SocketError) {
        try LoopThread.start { [end, mailboxes] in
          EventLoop(
            mailbox: mailbox, others: mailboxes, service: service, limits: limits, environment: environment
          ).run()
          end.leave()
        }
      } catch {
        end.leave()
        for mailbox in mailboxes { mailbox.post(.close) }
        throw error
      }
    }
  }

  deinit { for mailbox in mailboxes { mailbox.post(.close) } }
}

extension HTTPServer {
  package var connections: Int { mailboxes.reduce(0) { $0 + $1.connections.load(ordering: .relaxed) } }

  /// Takes no more connections, ends streams, finishes requests, and returns when all is over, by the limit of time.
  package func stop() async {
    for mailbox in mailboxes { mailbox.post(.stop) }
    await end.wait()
  }

  /// Makes the server look at the time, where a test moved it.
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

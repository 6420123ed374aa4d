import FlagDomain
import FlagHTTP

/// Secrets that open streams of events for a while, for clients that cannot send a token: a browser's `EventSource`
/// sends no header of its own, and a URL ends up in logs.
///
/// All who ask in one half of a lifetime are given the same ticket, so that answers with tickets can be cached, and
/// nobody can make the server remember many.
package final class Tickets: Sendable {
  private struct Ticket: Sendable {
    let text: String
    let began: ContinuousClock.Instant
  }

  /// How long a ticket can be used, from when it was made.
  package let lifetime: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let random: @Sendable () -> UInt64
  private let tickets = Locked<[Ticket]>([])

  /// Creates tickets.
  ///
  /// - Parameters:
  ///   - lifetime: How long a ticket can be used; one that is given out has at least half of that left.
  ///   - now: The time.
  ///   - random: Makes numbers that nobody can guess.
  package init(
    lifetime: Duration = .seconds(600), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  ) {
    self.lifetime = lifetime
    self.now = now
    self.random = random
  }
}

extension Tickets {
  /// Returns a ticket that can be used for half of the lifetime at least.
  package func current() -> String {
    let now = now()
    return tickets.withLock { tickets in
      tickets.removeAll { $0.began + lifetime <= now }
      if let last = tickets.last, now < last.began + lifetime / 2 { return last.text }
      let ticket = Ticket(text: [random(), random()].map(\.hexDigits).joined(), began: now)
      tickets.append(ticket)
      return ticket.text
    }
  }

  /// Returns whether a text is a ticket that can be used now, in a time that tells nothing of any.
  package func accepts(_ text: String) -> Bool {
    let now = now()
    return tickets.withLock { tickets in
      tickets.reduce(false) { accepted, ticket in
        let isSame = ConstantTime.equals(text.utf8, secret: Array(ticket.text.utf8))
        return isSame && now < ticket.began + lifetime || accepted
      }
    }
  }
}

import FlagDomain
import FlagHTTP
import FlagSupport

/// Short-lived secrets that open streams of events, for clients that cannot send a token: a browser's `EventSource`
/// sends no custom header, and a URL ends up in logs.
///
/// All clients get the same ticket within one half of a lifetime, so that responses with tickets can be cached, and
/// nobody can make the server remember many.
package final class Tickets: Sendable {
  private struct Ticket: Sendable {
    let text: String
    let began: ContinuousClock.Instant
  }

  /// The time for which a ticket is valid, from its creation.
  package let lifetime: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let random: @Sendable () -> UInt64
  private let tickets = Locked<[Ticket]>([])

  /// Creates tickets.
  ///
  /// - Parameters:
  ///   - lifetime: The time for which a ticket is valid; a new client's ticket has at least half of it left.
  ///   - now: Returns the current time.
  ///   - random: Returns unpredictable random numbers.
  package init(
    lifetime: Duration = .seconds(600), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
  ) {
    self.lifetime = lifetime
    self.now = now
    self.random = random
  }

  /// Returns a ticket that is valid for at least half of the lifetime.
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

  /// Returns whether a text is a valid ticket, in a time that reveals nothing about any ticket.
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

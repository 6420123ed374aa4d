/// Decides when a listener is unusable, and when a new one is opened in its place; it does no I/O.
///
/// A system may end a listener while the program runs: iOS does so to apps that it suspends. From then on each attempt
/// to accept fails at once, perhaps with the error of a client that disconnected in the queue, or as if the queue were
/// empty. So errors of single clients count, too, if there are more of them in a row than the queue can hold; and so do
/// repeated reports of clients that cannot be accepted.
struct ListenerRecovery {
  typealias Instant = ContinuousClock.Instant

  enum Step: Equatable {
    /// Accepts the next client.
    case accept
    /// Waits until the system reports a client.
    case wait
    /// Pauses accepting for a time.
    case pause(Duration)
    /// Closes the listener because of an error, and opens a new one after a time.
    case replace(after: Duration, SocketError)
  }

  /// The number of consecutive client failures that is too many: the queue of clients is shorter.
  static let lossLimit = 2 * Int(Listener.backlog)
  /// The number of consecutive reports of a client without one to accept that is too many.
  static let emptyTurnLimit = 64
  private static let pause = Duration.milliseconds(100)
  private static let firstDelay = Duration.milliseconds(100)
  private static let longestDelay = Duration.seconds(10)

  private var losses = 0
  private var emptyTurns = 0
  /// The attempts to open a listener since the last success.
  private var attempts = 0
  private var openedAt: Instant
  private var reportedFailure: SocketError?

  init(openedAt: Instant) { self.openedAt = openedAt }

  /// Returns the step after an attempt to accept a client: the first one since the system reported a client, or a later
  /// one.
  ///
  /// If the socket is hung up, the system has reported that the listener will never have another client.
  mutating func step(
    after acceptance: Listener.Acceptance, isFirst: Bool = false, isHungUp: Bool = false, now: Instant
  ) -> Step {
    switch acceptance {
    case .client:
      (losses, emptyTurns, attempts) = (0, 0, 0)
      return .accept
    case .none:
      losses = 0
      emptyTurns = isFirst ? emptyTurns + 1 : 0
      guard isHungUp || emptyTurns >= Self.emptyTurnLimit else { return .wait }
      return .replace(after: delay(now: now), SocketError("poll", reason: "the listener has ended"))
    case .lost(let error):
      losses += 1
      return losses < Self.lossLimit ? .accept : .replace(after: delay(now: now), error)
    case .exhausted: return .pause(Self.pause)
    case .defunct(let error): return .replace(after: delay(now: now), error)
    }
  }

  mutating func opened(now: Instant) { self = ListenerRecovery(openedAt: now, attempts: attempts) }

  /// Returns the delay until the next attempt to open a listener, and whether the failure is not reported yet.
  mutating func openingFailed(_ error: SocketError) -> (delay: Duration, isNew: Bool) {
    defer { reportedFailure = error }
    return (nextDelay(), error != reportedFailure)
  }

  private init(openedAt: Instant, attempts: Int) {
    self.openedAt = openedAt
    self.attempts = attempts
  }

  /// The first attempt is made at once, unless the previous listener was just as short-lived.
  private mutating func delay(now: Instant) -> Duration {
    if now - openedAt >= Self.longestDelay { attempts = 0 }
    return nextDelay()
  }

  private mutating func nextDelay() -> Duration {
    defer { attempts += 1 }
    guard attempts > 0 else { return .zero }
    // Seven doublings reach the maximum delay.
    return min(Self.longestDelay, Self.firstDelay * (1 << min(attempts - 1, 7)))
  }
}

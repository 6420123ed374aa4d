import FlagDomain

/// The turn of a writer, in which it writes as often as it likes without queueing.
///
/// Taking turns after each write would cost more than the writes.
final class WriterTurn: Sendable {
  private let beginning = Locked<ContinuousClock.Instant?>(nil)

  static let length = Duration.milliseconds(10)

  /// Returns whether the turn goes on.
  func includes(_ now: ContinuousClock.Instant) -> Bool {
    beginning.withLock { beginning in beginning.map { now < $0 + Self.length } ?? false }
  }

  func begin(at now: ContinuousClock.Instant) { beginning.withLock { $0 = now } }
}

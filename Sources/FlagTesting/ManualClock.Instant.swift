extension ManualClock {
  /// A point in a manual clock's time.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock was made.
    public let sinceStart: Duration

    /// Returns the instant that is a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
    /// Returns the duration until another instant.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    /// Returns whether the first instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
  }
}

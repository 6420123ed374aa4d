package import FlagDomain

/// The port of a source that is asked for all of its answers at once, and is followed from then on.
///
/// ``SourceClient`` follows it, and takes care of users, order, failures, retries and keeping. Every requirement may be
/// called from any thread.
package protocol AnswerSource<Content>: Sendable {
  associatedtype Content: Sendable

  /// Names the source in the names of kept answers: its protocol, its address and the client.
  var identity: [String] { get }

  /// Returns the part of a context that the source learns, and on which its answers depend.
  func disclosed(_ context: EvaluationContext) -> [String: FlagValue]

  /// Requests all answers for a context.
  ///
  /// - Parameters:
  ///   - fetch: The request.
  ///   - onEnd: Is called when the request has ended, which may be later than the return, if it ignores a timeout.
  /// - Returns: The answers, or the reason why there are none.
  func fetch(
    _ fetch: Follower<EvaluationContext>.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<Content>

  /// Follows a stream until it ends, and returns how it did.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure

  /// Reads an answer that was kept.
  func content(of body: [UInt8]) throws(FlagError) -> Content

  /// Returns the part of an answer that may be kept, in the same form.
  func keepable(_ body: [UInt8]) throws(FlagError) -> [UInt8]
}

/// The clocks and the chance of a client, which tests replace.
package struct FollowerEnvironment: Sendable {
  /// The clock of waits.
  let clock: any Clock<Duration>
  /// The time since the client was made, by the same clock.
  let uptime: @Sendable () -> Duration
  /// The time of day, in seconds since 1970-01-01 UTC.
  package var now: @Sendable () -> Int64
  /// A number from 0 up to, but without, 1.
  package var randomness: @Sendable () -> Double

  package init<C: Clock>(
    clock: C = ContinuousClock(), now: @escaping @Sendable () -> Int64 = WallClock.system.now,
    randomness: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) where C.Duration == Duration {
    let start = clock.now
    self.init(clock: clock, uptime: { start.duration(to: clock.now) }, now: now, randomness: randomness)
  }

  package init(
    clock: any Clock<Duration>, uptime: @escaping @Sendable () -> Duration, now: @escaping @Sendable () -> Int64,
    randomness: @escaping @Sendable () -> Double
  ) {
    self.clock = clock
    self.uptime = uptime
    self.now = now
    self.randomness = randomness
  }
}

/// The way in which a client serves the answers of a source.
package struct FollowerOptions: Sendable {
  package var schedule = FollowerSchedule()
  /// The timeout of waits for a request; nil if the source's requests have one.
  package var waitTimeout: Duration?
  /// How long a stream may send nothing before it counts as dead; nil for what the source says, or two minutes.
  package var inactivityLimit: Duration?
  /// Whether a new answer is served at once, or when the app says so.
  package var isLive = true
  /// Whether a kept answer is served before the source has answered or failed.
  package var isCacheFirst = true
  package var cache: AnswerCache?
  /// Receives errors of keeping, on any thread.
  package var onCacheError: @Sendable (FlagError) -> Void = { _ in }

  package init() {}
}

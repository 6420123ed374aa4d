package import FlagDomain
import FlagProviders

/// The port of a source that returns all of its answers at once, and is followed from then on.
///
/// ``SourceClient`` follows it, and handles users, order, failures, retries and caching. Every requirement may be
/// called from any thread.
package protocol AnswerSource<Content>: Sendable {
  associatedtype Content: Sendable

  /// The components of the source's cache keys that name the service: its protocol and its address.
  var identity: [String] { get }

  /// The components that name the client: its credentials. A cache with a name has the name in their place.
  var credentials: [String] { get }

  /// The streams whose addresses are known before any answer; none if answers bring them.
  var streams: [EventSource] { get }

  /// Returns the part of a context that is sent to the source, and on which its answers depend.
  func disclosed(_ context: EvaluationContext) -> [String: FlagValue]

  /// Requests all answers for a context.
  ///
  /// - Parameters:
  ///   - fetch: The request.
  ///   - onEnd: A closure to call when the request has ended, which may be after the return, if it ignores a timeout.
  /// - Returns: The answers, or the reason why the request failed.
  func fetch(
    _ fetch: Follower.Fetch, onEnd: @escaping @Sendable () -> Void
  ) async -> FetchOutcome<Content>

  /// Follows a stream until it ends, and returns the reason for its end.
  func follow(
    _ stream: EventSource, inactivity: Duration, onEvent: @escaping @Sendable (StreamEvent) -> Void
  ) async -> StreamFailure

  /// Parses a cached answer.
  func content(of body: [UInt8]) throws(FlagError) -> Content

  /// Returns the text of an answer for the cache, from which ``content(of:)`` makes the answer again; nil for none.
  ///
  /// The body is the answer as it was received; nil for one that was never a text.
  func cacheText(of content: Content, _ body: [UInt8]?) throws(FlagError) -> [UInt8]?
}

extension AnswerSource {
  package var streams: [EventSource] { [] }
  package var credentials: [String] { [] }
  package func cacheText(of content: Content, _ body: [UInt8]?) -> [UInt8]? { body }
}

/// The clocks and the source of randomness of a client, which tests replace.
package struct FollowerEnvironment: Sendable {
  /// The clock for delays and timeouts.
  let clock: any Clock<Duration>
  /// The time since the client was created, by the same clock.
  let uptime: @Sendable () -> Duration
  /// The time of day, in seconds since 1970-01-01 UTC.
  package var now: @Sendable () -> Int64
  /// A number from 0 up to, but not including, 1.
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

/// The options for serving the answers of a source.
package struct FollowerOptions: Sendable {
  package var schedule = FollowerSchedule()
  /// The timeout of waits for a request; nil if the source's requests have their own.
  package var waitTimeout: Duration?
  /// The time without data after which a stream counts as dead; nil for the source's own, or two minutes.
  package var inactivityLimit: Duration?
  /// Whether a new answer is served at once, and not only when the app activates it.
  package var isLive = true
  /// Whether a cached answer is served before the source has answered or failed.
  package var isCacheFirst = true
  package var cache: AnswerCache?
  /// A closure that receives each cause for which answers could not be cached, once, and the end, on any thread.
  package var onCacheError: @Sendable (FlagError) -> Void = { _ in }

  package init() {}
}

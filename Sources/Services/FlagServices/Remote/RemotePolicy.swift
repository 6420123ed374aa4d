import FlagDomain
import FlagSupport

/// The timeout and the retry delays of a remote provider.
public struct RemotePolicy: Hashable, Sendable {
  /// The time after which a fetch fails.
  public var timeout: Duration
  /// The maximum delay before the first retry; it doubles for each further one.
  ///
  /// A delay is random, uniformly between zero and the maximum, so that the clients of a service that was down do not
  /// all return at once; it is at least 10 ms.
  public var initialDelay: Duration
  /// The maximum delay between retries.
  public var maximumDelay: Duration

  /// Creates a policy.
  public init(
    timeout: Duration = .seconds(10), initialDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(60)
  ) {
    self.timeout = timeout
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// The options of a client that follows a service, with durations that clocks can represent.
  var options: FollowerOptions {
    var options = FollowerOptions()
    options.waitTimeout = usableTimeout
    options.schedule.backoff = Backoff(
      base: Self.usable(initialDelay), cap: Self.usable(maximumDelay), minimum: .milliseconds(10))
    return options
  }

  /// The timeout, limited to durations that clocks can represent.
  var usableTimeout: Duration { max(Self.usable(timeout), .zero) }

  /// Returns a duration of a year at most.
  private static func usable(_ duration: Duration) -> Duration { min(duration, .seconds(365 * 86_400)) }
}

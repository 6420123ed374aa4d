/// The timeout and the retry delays of a remote provider.
public struct RemotePolicy: Hashable, Sendable {
  /// The time after which a fetch fails.
  public var timeout: Duration
  /// The delay before the first retry; it doubles for each further one.
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
}

extension RemotePolicy {
  /// Returns the delay before the next attempt, after a number of consecutive failures.
  ///
  /// It is at least 10 ms, so that an outage does not cause a tight loop.
  func delay(afterFailures failures: Int) -> Duration {
    let maximum = Self.usable(maximumDelay, atLeast: .milliseconds(10))
    var delay = min(Self.usable(initialDelay, atLeast: .milliseconds(10)), maximum)
    var doublings = failures - 1
    while doublings > 0, delay < maximum {
      delay = min(delay * 2, maximum)
      doublings -= 1
    }
    return delay
  }

  /// The timeout, within what clocks can count.
  var usableTimeout: Duration { Self.usable(timeout, atLeast: .zero) }

  /// Returns a duration within what clocks can count, which is a year here.
  private static func usable(_ duration: Duration, atLeast minimum: Duration) -> Duration {
    min(max(duration, minimum), .seconds(365 * 86_400))
  }
}

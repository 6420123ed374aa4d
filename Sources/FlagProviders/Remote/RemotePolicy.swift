/// How patient a remote provider is with its service.
public struct RemotePolicy: Hashable, Sendable {
  /// How long a fetch may take before it counts as failed.
  public var timeout: Duration
  /// How long to wait before the first retry; each further one waits twice as long.
  public var firstRetry: Duration
  /// How long to wait between retries at most.
  public var longestRetry: Duration

  /// Creates a policy.
  public init(
    timeout: Duration = .seconds(10), firstRetry: Duration = .seconds(1), longestRetry: Duration = .seconds(60)
  ) {
    self.timeout = timeout
    self.firstRetry = firstRetry
    self.longestRetry = longestRetry
  }
}

extension RemotePolicy {
  /// Returns how long to wait before the next attempt, after a number of failures in a row.
  func delay(afterFailures failures: Int) -> Duration {
    (1..<max(1, failures)).reduce(min(firstRetry, longestRetry)) { delay, _ in min(delay * 2, longestRetry) }
  }
}

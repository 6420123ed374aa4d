import FlagHTTP

/// When a service is asked, and asked again.
struct SyncSchedule: Hashable, Sendable {
  /// How long after an answer the next one is asked for; nil for never.
  var polling: Duration?
  /// Whether streams of events are followed.
  var isStreaming = true
  /// Whether the addresses of streams come with answers, and are good for one attempt each.
  var sourcesExpire = false
  /// How long to wait after a failure.
  var backoff = Backoff()
  /// How long to wait after the service said that it does not know who asks, or does not want to talk to them.
  var refusedDelay = Duration.seconds(300)
  /// The longest time that a service's own word counts for.
  var longestDelay = Duration.seconds(86_400)
  /// How long a stream must have lasted for its end to count as the first one.
  var steadyTime = Duration.seconds(30)
}

extension SyncSchedule {
  /// Returns the time from an answer to the next request: up to a tenth less or more, so that clients spread.
  func pollingDelay(randomness: Double) -> Duration? {
    polling.map { polling in
      let tenth = max(polling, .seconds(1)) / 10
      return tenth * 9 + tenth * 2 * min(max(randomness, 0), 1)
    }
  }

  /// Returns the wait after a number of failures in a row.
  func delay(after kind: FetchFailure.Kind, failures: Int, randomness: Double) -> Duration {
    switch kind {
    case .refused: refusedDelay
    case .busy(let delay?) where delay > .zero: min(delay, longestDelay)
    case .busy, .other: backoff.delay(afterFailures: failures, randomness: randomness)
    }
  }
}

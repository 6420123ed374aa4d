import FlagDomain
package import FlagSupport

/// The intervals of polling, retries and streams for a source.
package struct FollowerSchedule: Hashable, Sendable {
  /// The interval from an answer to the next request; nil for no polling.
  package var polling: Duration?
  package var isStreaming = true
  /// Whether the addresses of streams are part of answers, and valid for one attempt each.
  package var sourcesExpire = false
  package var backoff = Backoff()
  /// The minimum time between the starts of two requests for changes that the source announces.
  package var minimumInterval = Duration.milliseconds(100)
  /// The delay after the source rejected this client.
  package var refusedDelay = Duration.seconds(300)
  /// The maximum delay that a source can request, before jitter.
  package var longestDelay = Duration.seconds(15 * 60)
  /// The time after which the end of a stream no longer counts as a repeated failure.
  package var steadyTime = Duration.seconds(30)

  package init(polling: Duration? = nil, isStreaming: Bool = true, sourcesExpire: Bool = false) {
    self.polling = polling
    self.isStreaming = isStreaming
    self.sourcesExpire = sourcesExpire
  }

  /// Returns the interval from an answer to the next request: up to a tenth shorter or longer, to spread clients.
  package func pollingDelay(randomness: Double) -> Duration? {
    polling.map { polling in
      let tenth = max(polling, .seconds(1)) / 10
      return tenth * 9 + tenth * 2 * min(max(randomness, 0), 1)
    }
  }

  /// Returns the delay after a failure: up to a third longer than the source or ``refusedDelay`` says, to spread
  /// clients, or that of the backoff.
  package func delay(after kind: FetchFailure.Kind, failures: Int, randomness: Double) -> Duration {
    switch kind {
    case .refused: spread(refusedDelay, randomness)
    case .busy(let delay?) where delay > .zero: spread(min(delay, longestDelay), randomness)
    case .busy, .other: backoff.delay(afterFailures: failures, randomness: randomness)
    }
  }

  /// Returns a delay that is up to a third longer.
  func spread(_ delay: Duration, _ randomness: Double) -> Duration {
    delay + delay / 3 * min(max(randomness, 0), 1)
  }
}

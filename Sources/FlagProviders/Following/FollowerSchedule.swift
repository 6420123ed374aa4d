package import FlagDomain

/// The times at which a source is asked, and asked again.
package struct FollowerSchedule: Hashable, Sendable {
  /// How long after an answer the next one is asked for; nil for never.
  package var polling: Duration?
  package var isStreaming = true
  /// Whether the addresses of streams come with answers, and are good for one attempt each.
  package var sourcesExpire = false
  package var backoff = Backoff()
  /// How long to wait after the source refused to answer this client.
  package var refusedDelay = Duration.seconds(300)
  /// The longest delay that a source can ask for.
  package var longestDelay = Duration.seconds(86_400)
  /// How long a stream must have lasted for its end to count as the first one.
  package var steadyTime = Duration.seconds(30)

  package init(polling: Duration? = nil, isStreaming: Bool = true, sourcesExpire: Bool = false) {
    self.polling = polling
    self.isStreaming = isStreaming
    self.sourcesExpire = sourcesExpire
  }
}

extension FollowerSchedule {
  /// Returns the time from an answer to the next request: up to a tenth less or more, so that clients spread.
  package func pollingDelay(randomness: Double) -> Duration? {
    polling.map { polling in
      let tenth = max(polling, .seconds(1)) / 10
      return tenth * 9 + tenth * 2 * min(max(randomness, 0), 1)
    }
  }

  package func delay(after kind: FetchFailure.Kind, failures: Int, randomness: Double) -> Duration {
    switch kind {
    case .refused: refusedDelay
    case .busy(let delay?) where delay > .zero: min(delay, longestDelay)
    case .busy, .other: backoff.delay(afterFailures: failures, randomness: randomness)
    }
  }
}

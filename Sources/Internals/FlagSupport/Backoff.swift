/// A schedule of exponential backoff with full jitter.
///
/// The delay is random, uniformly between zero and a bound that doubles with each failure, up to a cap: "full jitter"
/// of M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015. It spreads retries of clients that
/// failed together better than other schedules. Unlike there, a delay is never shorter than a minimum, to prevent a
/// tight loop.
package struct Backoff: Hashable, Sendable {
  /// The bound after the first failure.
  package let base: Duration
  package let cap: Duration
  package let minimum: Duration

  /// Creates a schedule; a minimum is at least a millisecond, a base at least the minimum, and a cap at least the base.
  package init(base: Duration = .seconds(1), cap: Duration = .seconds(300), minimum: Duration = .milliseconds(100)) {
    self.minimum = max(minimum, .milliseconds(1))
    self.base = max(base, self.minimum)
    self.cap = max(cap, self.base)
  }

  /// Returns the delay before the next attempt.
  ///
  /// - Parameters:
  ///   - failures: The number of consecutive failures, including this one; less than 1 counts as 1.
  ///   - randomness: A number from 0 up to, but not including, 1; others are clamped, NaN to 0.
  /// - Returns: A delay between the minimum and the bound.
  package func delay(afterFailures failures: Int, randomness: Double) -> Duration {
    let share = randomness > 0 ? min(randomness, 1) : 0
    return max(minimum, bound(afterFailures: failures) * share)
  }

  package func bound(afterFailures failures: Int) -> Duration {
    var bound = base
    // The cap is reached before a doubling could overflow.
    for _ in 1..<max(2, failures) {
      guard failures > 1, bound < cap else { break }
      bound = bound > cap / 2 ? cap : bound * 2
    }
    return min(bound, cap)
  }
}

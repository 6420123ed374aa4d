import FlagDomain
import FlagSupport
import Testing

@Suite("Backoff")
struct BackoffTests {
  @Test(
    "The bound of a wait doubles up to the cap",
    arguments: [(-5, 1), (0, 1), (1, 1), (2, 2), (3, 4), (9, 256), (10, 300), (11, 300), (Int.max, 300)])
  func boundsDelays(failures: Int, seconds: Int) {
    let backoff = Backoff(base: .seconds(1), cap: .seconds(300))
    #expect(backoff.bound(afterFailures: failures) == .seconds(seconds))
    #expect(backoff.delay(afterFailures: failures, randomness: 0.5) == .seconds(seconds) * 0.5)
  }

  @Test(
    "A wait is never shorter than the minimum, nor longer than the bound", arguments: [-1, 0, 1, 2, .nan, .infinity])
  func limitsDelays(randomness: Double) {
    let backoff = Backoff(base: .seconds(1), cap: .seconds(8))
    #expect((.milliseconds(100)...(.seconds(4))).contains(backoff.delay(afterFailures: 3, randomness: randomness)))
  }

  @Test("A schedule of nothing but zeros still waits")
  func correctsSchedules() {
    #expect(Backoff(base: .zero, cap: .zero, minimum: .zero).delay(afterFailures: 1, randomness: 0) == .milliseconds(1))
  }
}

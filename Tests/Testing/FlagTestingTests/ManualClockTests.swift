import FlagDomain
import FlagTesting
import Testing

@Suite("Manual clock")
struct ManualClockTests {
  private let clock = ManualClock()

  @Test("Sleepers wake when their time has come, and not before")
  func wakes() async throws {
    let woken = Woken()
    try await withThrowingTaskGroup { group in
      for seconds in [2, 1] {
        group.addTask { [clock] in
          try await clock.sleep(for: .seconds(seconds))
          woken.seconds.withLock { $0.append(seconds) }
        }
      }
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(1))
      try await group.next()
      #expect(woken.seconds.withLock { $0 } == [1])
      #expect(clock.sleeping == 1)
      clock.advance(by: .seconds(1))
      try await group.next()
      #expect(woken.seconds.withLock { $0 } == [1, 2])
    }
    #expect(clock.now.sinceStart == .seconds(2))
  }

  @Test("A sleep that has no time to wait for returns at once", arguments: [Duration.zero, .seconds(-1)])
  func returnsAtOnce(duration: Duration) async throws {
    try await clock.sleep(for: duration)
    #expect(clock.sleeping == 0)
  }

  @Test("A cancelled sleeper wakes with an error")
  func cancels() async {
    let sleeping = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleeper(for: .seconds(1))
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(clock.sleeping == 0)
  }

  @Test("A task that was cancelled before it slept does not sleep")
  func doesNotSleepCancelled() async {
    let sleeping = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }

  @Test("Sleepers of one duration are counted apart from others")
  func countsSleepers() async throws {
    let durations = [Duration.seconds(1), .seconds(2), .seconds(2)]
    let sleeping = durations.map { duration in Task { [clock] in try await clock.sleep(for: duration) } }
    let waiting = Task { [clock] in await clock.waitForSleeper(for: .seconds(2), count: 3) }
    await clock.waitForSleeper(for: .seconds(2), count: 2)
    let last = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
    await waiting.value
    #expect(clock.sleeping == 4)
    clock.advance(by: .seconds(2))
    for task in sleeping + [last] { try await task.value }
  }

  private final class Woken: Sendable {
    let seconds = Locked<[Int]>([])
  }
}

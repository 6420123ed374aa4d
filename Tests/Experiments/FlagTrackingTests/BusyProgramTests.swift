import FlagDomain
import FlagEvents
import FlagTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagTracking

@Suite("A tracker of a busy program", .timeLimit(.minutes(15)))
struct BusyProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("While all threads of the pool are blocked, events reach the disk, a file and a service, also after a wait")
    func needsNoPool() async throws {
      let server = try ScriptedServer { _, _ in [.response()] }
      await #expect(processExitsWith: .success) {
        [path = folder.url.path as String, port = server.port as Int] in
        limitThisProcess()
        Pool.block()
        Thread.detachNewThread {
          do {
            try trackWithoutPool(in: URL(filePath: path), port)
            exit(Pool.isBlocked ? EXIT_SUCCESS : EXIT_FAILURE)
          } catch {
            exit(EXIT_FAILURE)
          }
        }
        Pool.sleep()
      }
      #expect(server.requests.contains { $0.contains(#""unit":"ann""#) })
    }
  #endif

  @Test("While a sink does not answer, new events reach the disk, and a flush gives up after a time")
  func survivesSilence() async throws {
    let (sink, clock) = (SilentSink(), ManualClock())
    let tracker = try makeTracker(in: folder, to: sink, environment: .fixed(clock))
    tracker.track([.of("ann")])
    async let first = failure(of: tracker, after: .seconds(3))
    await clock.waitForSleeper(for: .seconds(3))
    tracker.track([.of("ben")])
    async let second = failure(of: tracker, after: .seconds(5))
    await clock.waitForSleeper(for: .seconds(5))
    #expect(try folder.text.contains("ann") && folder.text.contains("ben"))
    clock.advance(by: .seconds(5))
    #expect(await first == "expected that all events are sent: timeout after 3.0 seconds")
    #expect(await second == "expected that all events are sent: timeout after 5.0 seconds")
    sink.answer()
    await tracker.flush()
    #expect(try await tracker.waitingEvents().isEmpty)
    try await tracker.shutdown(timeout: .seconds(1))
  }

  @Test("A flush that fails says why")
  func saysWhy() async throws {
    let sink = RecordingSink { _ in .retry(after: nil, FlagError(.general, "down")) }
    let tracker = try makeTracker(in: folder, to: sink)
    tracker.track([.of("ann")])
    #expect(await failure(of: tracker, after: .seconds(3)) == "expected that all events are sent: down")
    #expect(await failure(of: tracker, after: .seconds(3)) == "expected that all events are sent: down")
  }

  @Test("Sixteen threads track while others flush: each event is sent once, in the order of its thread")
  func tracksOnThreads() async throws {
    let sink = RecordingSink()
    let tracker = try makeTracker(in: folder, to: sink, .server)
    let count = Effort.rounds(100, thorough: 1000, long: 10_000)
    async let threads: Void = onThreads(16) { thread in
      for number in 0..<count { tracker.collect(Conversion(name: "\(number)", unit: "\(thread)")) }
    }
    for _ in 0..<20 { await tracker.flush() }
    try await threads
    try await tracker.flush(timeout: .seconds(600))
    var next = [String: Int]()
    for case .conversion(let conversion) in sink.events.map(\.content) {
      let unit = try #require(conversion.unit)
      #expect(conversion.name == "\(next[unit, default: 0])")
      next[unit, default: 0] += 1
    }
    #expect(next.count == 16 && next.values.allSatisfy { $0 == count })
  }

  private func failure(of tracker: EventTracker, after timeout: Duration) async -> String? {
    do throws(FlagError) {
      try await tracker.flush(timeout: timeout)
      return nil
    } catch {
      return error.message
    }
  }
}

/// Tracks, and waits until a file has the events, and a service one of them, without suspending.
private func trackWithoutPool(in folder: URL, _ port: Int) throws {
  let file = folder.appending(path: "events.jsonl")
  let tracker = try EventTracker(in: folder.appending(path: "one"), to: FileSink(file), options: .server)
  for number in 0..<1000 { tracker.collect(Conversion(name: "x", unit: "\(number)")) }
  // Fewer than a batch, which wait for the interval.
  var options = TrackingOptions()
  options.interval = .milliseconds(10)
  guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw FlagError(.general, "no address") }
  let sink = NotingSink(try HTTPSink(url, format: .jsonLines))
  let other = try EventTracker(in: folder.appending(path: "two"), to: sink, options: options)
  other.collect(Conversion(name: "x", unit: "ann"))
  while !sink.isDelivered {}
  while !FileManager.default.fileExists(atPath: file.path) {}
  while try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count < 1000 {}
  withExtendedLifetime((tracker, other)) {}
}

/// A sink that notes that another one has delivered a batch.
private final class NotingSink: EventSink {
  private let sink: HTTPSink
  private let state = Atomic(false)

  init(_ sink: HTTPSink) { self.sink = sink }

  var isDelivered: Bool { state.load(ordering: .relaxed) }

  func send(_ batch: EventBatch) async -> SinkOutcome {
    let outcome = await sink.send(batch)
    if outcome == .delivered { state.store(true, ordering: .relaxed) }
    return outcome
  }
}

/// The threads that all tasks share.
private enum Pool {
  /// Blocks all of them for good, with more tasks than a machine has threads for.
  static func block() {
    for _ in 0..<1024 { Task.detached { sleep() } }
    while !isBlocked {}
  }

  /// Blocks this thread for good.
  static func sleep() { while true { DispatchSemaphore(value: 0).wait() } }

  /// Whether a task that is made now does not begin.
  static var isBlocked: Bool {
    let hasBegun = DispatchSemaphore(value: 0)
    Task.detached { hasBegun.signal() }
    return hasBegun.wait(timeout: .now() + 0.2) == .timedOut
  }
}

/// A sink that does not answer until a test lets it.
private final class SilentSink: EventSink {
  private struct State: Sendable {
    var waiters: [CheckedContinuation<Void, Never>] = []
    var answers = false
  }

  private let state = Locked(State())

  func send(_ batch: EventBatch) async -> SinkOutcome {
    await withCheckedContinuation { waiter in
      let answers = state.withLock { state in
        if !state.answers { state.waiters.append(waiter) }
        return state.answers
      }
      if answers { waiter.resume() }
    }
    return .delivered
  }

  func answer() {
    let waiters = state.withLock { state in
      defer { state = State(answers: true) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

import FlagDomain
import FlagEvents
import FlagFiles
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("An app that is suspended while it sends", .timeLimit(.minutes(15)))
struct SuspensionTests {
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let system = FakeSystem()

  init() throws { folder = try TemporaryFolder() }

  private func tracker(to sink: any EventSink, name: String = "id") throws -> EventTracker {
    var environment = TrackingEnvironment.fixed(clock, name: name)
    environment.performExpiringActivity = system.perform
    return try makeTracker(in: folder, to: sink, environment: environment)
  }

  private func isLocked() throws -> Bool {
    try FileLock.take(folder.url.appending(path: ".sending.lock")) == nil
  }

  @Test("The lock is free as soon as the time is over, and the batch is sent later, once, with its id")
  func releasesLock() async throws {
    let sink = HangingSink(.retry(after: nil, FlagError(.general, "cancelled")))
    let tracker = try tracker(to: sink)
    tracker.track([.of("ann")])
    async let flushed: Void = tracker.flush()
    try await waitUntil { sink.batches.count == 1 }
    #expect(try isLocked())
    system.expire()
    #expect(try !isLocked())
    await flushed
    #expect(sink.wasCancelled)
    #expect(try await tracker.waitingEvents().map(\.unit) == ["ann"])
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    try await waitUntil { try await tracker.waitingEvents().isEmpty }
    #expect(sink.batches.count == 2 && Set(sink.batches).count == 1)
    try await waitUntil { system.running == 0 }
  }

  @Test("Another process sends the batch meanwhile, with the same id, and nothing is sent after it")
  func handsOver() async throws {
    let sink = HangingSink(.retry(after: nil, FlagError(.general, "cancelled")), ignoresCancelling: true)
    let tracker = try tracker(to: sink)
    tracker.track([.of("ann")])
    async let flushed: Void = tracker.flush()
    try await waitUntil { sink.batches.count == 1 }
    system.expire()
    // The upload goes on, as far as this process knows; the other one does not wait for it.
    let other = RecordingSink()
    await (try makeTracker(in: folder, to: other, environment: .fixed(ManualClock(), name: "other"))).flush()
    #expect(other.batches == sink.batches)
    sink.finish()
    await flushed
    await clock.waitForSleeper(for: .seconds(30))
    await tracker.flush()
    #expect(sink.batches.count == 1)
  }

  @Test("A batch that was cut off is never halved, since another process may have begun to send it")
  func keepsBatchesWhole() async throws {
    let sink = HangingSink(.tooLarge(FlagError(.general, "too large")))
    let tracker = try tracker(to: sink)
    tracker.track([.of("ann"), .of("bob")])
    async let flushed: Void = tracker.flush()
    try await waitUntil { sink.batches.count == 1 }
    system.expire()
    await flushed
    await tracker.flush()
    #expect(sink.batches.count == 2 && Set(sink.batches).count == 1)
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("What was delivered after all is not sent again")
  func removesDelivered() async throws {
    let sink = HangingSink(.delivered)
    let tracker = try tracker(to: sink)
    tracker.track([.of("ann")])
    async let flushed: Void = tracker.flush()
    try await waitUntil { sink.batches.count == 1 }
    system.expire()
    await flushed
    await tracker.flush()
    #expect(sink.batches.count == 1)
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("Without time from the system nothing is locked or sent, and it is tried again")
  func waitsForTime() async throws {
    let sink = RecordingSink()
    system.refuse(true)
    let tracker = try tracker(to: sink)
    tracker.track([.of("ann")])
    await tracker.flush()
    #expect(sink.batches.isEmpty)
    #expect(try await tracker.waitingEvents().map(\.unit) == ["ann"])
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: ".sending.lock").path))
    system.refuse(false)
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    try await waitUntil { sink.units == [["ann"]] }
    try await waitUntil { system.running == 0 }
  }

  @Test("An activity that has ended does not expire, and one that expires does so once")
  func endsOnce() async throws {
    let expired = Locked(0)
    let count: @Sendable () -> Void = { expired.withLock { $0 += 1 } }
    let ended = try #require(await ExpiringActivity.begin("test", by: system.perform, onExpiry: count))
    ended.end()
    system.expire()
    #expect(expired.withLock { $0 } == 0)
    let other = try #require(await ExpiringActivity.begin("test", by: system.perform, onExpiry: count))
    system.expire()
    system.expire()
    #expect(expired.withLock { $0 } == 1)
    other.end()
    try await waitUntil { system.running == 0 }
    #expect(await ExpiringActivity.begin("test", by: nil, onExpiry: count) != nil)
  }
}

/// A system that gives apps time, until a test ends it: it keeps a thread for each activity.
private final class FakeSystem: Sendable {
  private struct State: Sendable {
    var block: (@Sendable (Bool) -> Void)?
    var refuses = false
    var running = 0
  }

  private let state = Locked(State())

  /// The activities whose block has not returned.
  var running: Int { state.withLock { $0.running } }

  func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

  @Sendable func perform(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
    let refuses = state.withLock { state in
      state.block = block
      if !state.refuses { state.running += 1 }
      return state.refuses
    }
    Thread.detachNewThread { [self] in
      block(refuses)
      if !refuses { state.withLock { $0.running -= 1 } }
    }
  }

  /// Ends the time of the activity that was begun last.
  func expire() { state.withLock { $0.block }?(true) }
}

/// A sink whose first batch hangs until it is cancelled or a test says so; the others are delivered at once.
private final class HangingSink: EventSink {
  private struct State: Sendable {
    var batches: [EventBatch] = []
    var waiter: CheckedContinuation<Void, Never>?
    var isFinished = false
    var wasCancelled = false
  }

  private let outcome: SinkOutcome
  private let ignoresCancelling: Bool
  private let state = Locked(State())

  init(_ outcome: SinkOutcome, ignoresCancelling: Bool = false) {
    (self.outcome, self.ignoresCancelling) = (outcome, ignoresCancelling)
  }

  var batches: [EventBatch] { state.withLock { $0.batches } }
  var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

  func send(_ batch: EventBatch) async -> SinkOutcome {
    let isFirst = state.withLock { state in
      state.batches.append(batch)
      return state.batches.count == 1
    }
    guard isFirst else { return .delivered }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isFinished = state.withLock { state in
          if !state.isFinished { state.waiter = waiter }
          return state.isFinished
        }
        if isFinished { waiter.resume() }
      }
    } onCancel: {
      state.withLock { $0.wasCancelled = true }
      if !ignoresCancelling { finish() }
    }
    return outcome
  }

  func finish() {
    let waiter = state.withLock { state in
      defer { (state.waiter, state.isFinished) = (nil, true) }
      return state.waiter
    }
    waiter?.resume()
  }
}

import FlagDomain
import FlagEvents
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("Delivery", .timeLimit(.minutes(15)))
struct DeliveryTests {
  private static let error = FlagError(.general, "down")
  private let folder: TemporaryFolder
  private let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "A batch that was not taken is sent again with its id: after a wait that doubles, or the one that is asked for",
    arguments: [
      ([nil, nil, nil], [500, 1000, 2000]), ([.seconds(7), nil], [7000, 1000]),
      ([.milliseconds(1), .seconds(9)], [500, 9000]),
    ] as [([Duration?], [Int])])
  func sendsAgain(delays: [Duration?], waits: [Int]) async throws {
    let sink = RecordingSink(delays.map { .retry(after: $0, Self.error) })
    let tracker = try makeTracker(in: folder, to: sink, environment: .fixed(clock))
    tracker.track([.of("ann")])
    await tracker.flush()
    for (index, wait) in waits.enumerated() {
      #expect(sink.batches.count == index + 1)
      await tracker.flush()  // does not shorten the wait
      await clock.waitForSleeper(for: .milliseconds(wait))
      clock.advance(by: .milliseconds(wait))
      try await waitUntil { sink.batches.count == index + 2 }
    }
    await tracker.flush()
    #expect(Set(sink.batches).count == 1)
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("No event is missing among those that wait while it is being written")
  func listsAll() async throws {
    let sink = RecordingSink { _ in .retry(after: nil, Self.error) }
    let tracker = try makeTracker(in: folder, to: sink, environment: .fixed(clock))
    for number in 1...Effort.rounds(100, thorough: 300, long: 1_000) {
      tracker.collect(Conversion(name: "visit", unit: "ann"))
      async let flush: Void = tracker.flush()
      let waiting = try await tracker.waitingEvents()
      await flush
      try #require(waiting.count == number)
    }
  }

  @Test("A batch that is too large is halved down to the one event that is, which is dropped and reported")
  func halves() async throws {
    let reporter = RecordingReporter()
    let sink = RecordingSink { batch in
      batch.events.contains { $0.unit == "poison" } ? .tooLarge(Self.error) : .delivered
    }
    let tracker = try makeTracker(in: folder, to: sink, reporter: reporter, environment: .fixed(clock))
    tracker.track(["a", "b", "c", "poison", "d", "e"].map { .of($0) })
    await tracker.flush()
    #expect(
      sink.units == [
        ["a", "b", "c", "poison", "d", "e"], ["a", "b", "c"], ["poison", "d", "e"], ["poison"], ["d"], ["e"],
        ["lost 1"],
      ])
    #expect(Set(sink.batches.map(\.id)).count == sink.batches.count)
    #expect(reporter.messages == ["an event was dropped: down"])
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("A batch that times out is sent in halves after each wait, down to one event, and batches grow back")
  func halvesAfterTimeouts() async throws {
    let slow = FlagError(.timeout, "slow")
    let isSlow = Locked(true)
    let sink = RecordingSink { _ in isSlow.withLock { $0 } ? .retry(after: nil, slow) : .delivered }
    let tracker = try makeTracker(in: folder, to: sink, environment: .fixed(clock))
    let names = (1...13).map { "u\($0)" }
    tracker.track(names.map { .of($0) })
    await tracker.flush()
    for (index, wait) in [500, 1000, 2000, 4000].enumerated() {
      await clock.waitForSleeper(for: .milliseconds(wait))
      if index == 3 { isSlow.withLock { $0 = false } }
      clock.advance(by: .milliseconds(wait))
      try await waitUntil { sink.batches.count >= index + 2 }
    }
    await tracker.flush()
    #expect(sink.units.map(\.count) == [13, 6, 3, 1, 1, 2, 3, 4, 3])
    #expect(sink.units.dropFirst(4).flatMap(\.self) == names)
    // The batch of one event is sent again as it is.
    #expect(Set(sink.batches.map(\.id)).count == sink.batches.count - 1 && sink.batches[3] == sink.batches[4])
    #expect(Set(sink.batches[0].events.map(\.id)) == Set(sink.batches[4...].flatMap(\.events).map(\.id)))
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("A batch that is refused is dropped and reported, and the next one is sent")
  func drops() async throws {
    let reporter = RecordingReporter()
    let sink = RecordingSink([.refused(Self.error), .delivered(rejected: 1, FlagError(.general, "one refused"))])
    var options = TrackingOptions()
    options.maximumBatchEvents = 2
    let tracker = try makeTracker(in: folder, to: sink, options, reporter: reporter, environment: .fixed(clock))
    tracker.track(["a", "b", "c", "d"].map { .of($0) })
    await tracker.flush()
    #expect(sink.units == [["a", "b"], ["c", "d"], ["lost 3"]])
    #expect(reporter.messages == ["2 events were dropped: down", "one refused"])
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("A batch that a sink refuses for now is kept for a day, and then dropped and reported")
  func holds() async throws {
    let (reporter, clock) = (RecordingReporter(), clock)
    let sink = RecordingSink { batch in batch.events.contains { $0.unit == "ann" } ? .held(Self.error) : .delivered }
    var environment = TrackingEnvironment.fixed(clock)
    environment.now = { Int64(clock.now.sinceStart / .milliseconds(1)) }
    let tracker = try makeTracker(in: folder, to: sink, reporter: reporter, environment: environment)
    tracker.track([.of("ann")])
    await tracker.flush()
    #expect(sink.batches.count == 1)
    for time in [Duration.seconds(86_000), .seconds(86_400)] {
      await clock.waitForSleepers(1)
      let count = sink.batches.count
      clock.advance(by: time - clock.now.sinceStart)
      try await waitUntil { sink.batches.count > count }
    }
    try await waitUntil { sink.units.last == ["lost 1"] }
    await tracker.flush()
    #expect(Set(sink.batches.dropLast()).count == 1)
    #expect(reporter.messages == ["down", "1 event was dropped after a day: down", "events are delivered again"])
    #expect(try await tracker.waitingEvents().isEmpty)
  }

  @Test("A line of the file that is no event is dropped and reported; the others are sent")
  func passesOverGarbage() async throws {
    let (sink, reporter) = (RecordingSink(), RecordingReporter())
    try leave(#"{}"#, #"{"count":3,"id":"1","kind":"loss","schema":1,"time":"1970-01-01T00:00:00.000Z"}"#)
    let tracker = try makeTracker(in: folder, to: sink, reporter: reporter, environment: .fixed(clock))
    await tracker.flush()
    try await waitUntil { sink.batches.count == 2 }
    #expect(sink.units == [["lost 3"], ["lost 1"]])
    #expect(reporter.messages.count == 1 && reporter.messages[0].contains("an event of the queue's file was dropped"))
  }

  @Test("A line that another run has left goes into a file as it stands, with members that are not known")
  func keepsLines() async throws {
    let line = #"{"kind":"loss", "schema":1,"id":"1","count":3,"time":"1970-01-01T00:00:00.000Z","later":[1]}"#
    try leave(line)
    let target = try TemporaryFolder()
    let file = target.url.appending(path: "events.jsonl")
    let tracker = try makeTracker(in: folder, to: FileSink(file), environment: .fixed(clock))
    await tracker.flush()
    #expect(try String(contentsOf: file, encoding: .utf8) == line + "\n")
  }

  /// Writes a queue's file as another run leaves it.
  private func leave(_ lines: String...) throws {
    let text = lines.map { $0 + "\n" }.joined()
    try Data(QueueState().header + Array(text.utf8)).write(to: folder.url.appending(path: "queue.jsonl"))
  }

  @Test("A closure that throws is handed its batch again")
  func retriesClosures() async throws {
    struct Failure: Error {}
    let calls = Locked<[String]>([])
    let sink = ClosureSink { batch in
      let count = calls.withLock { calls in
        calls.append(batch.id)
        return calls.count
      }
      if count == 1 { throw Failure() }
    }
    let tracker = try makeTracker(in: folder, to: sink, environment: .fixed(clock))
    tracker.track([.of("ann")])
    await tracker.flush()
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    try await waitUntil { calls.withLock { $0.count } == 2 }
    await tracker.flush()
    #expect(calls.withLock { Set($0).count } == 1)
    #expect(try await tracker.waitingEvents().isEmpty)
  }
}

import FlagComposition
import FlagDomain
import FlagEvents
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("Tracking", .timeLimit(.minutes(15)))
struct EventTrackerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("What is tracked is sent when it is flushed, once for a user and a value")
  func flushes() async throws {
    let sink = RecordingSink()
    let tracker = try makeTracker(in: folder, to: sink)
    tracker.track([.of("ann"), .of("ann"), .of("ben")])
    tracker.track([.of("ann", variant: "b"), .of("ann")])
    tracker.collect(Conversion(name: "purchase", unit: "ann", value: 1))
    await tracker.flush()
    #expect(sink.units == [["ann", "ben", "ann", "ann", "ann"]])
    #expect(try await tracker.waitingEvents().isEmpty)
    await tracker.flush()
    #expect(sink.batches.count == 1)
  }

  @Test("A batch holds as many events as wait, and no more bytes than it may")
  func batches() async throws {
    let sink = RecordingSink()
    var options = TrackingOptions()
    options.batchBytes = 1000
    let tracker = try makeTracker(in: folder, to: sink, options)
    for number in 0..<5 { tracker.track([.of("user-\(number)-" + String(repeating: "x", count: 300))]) }
    tracker.track((0..<40).map { .of("\($0)") })
    await tracker.flush()
    #expect(sink.events.count == 45)
    #expect(sink.units.prefix(2).map(\.count) == [2, 2])
    for batch in sink.batches { #expect(try batch.events.reduce(0) { $0 + (try $1.line().count) } <= 1000) }
  }

  @Test("Fifty events are sent at once, and fewer after the interval")
  func sendsByItself() async throws {
    let (sink, clock) = (RecordingSink(), ManualClock())
    let tracker = try makeTracker(in: folder, to: sink, environment: .fixed(clock))
    tracker.track((0..<50).map { .of("\($0)") })
    try await waitUntil { sink.events.count == 50 }
    tracker.collect(Conversion(name: "x", unit: "last"))
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    try await waitUntil { sink.events.count == 51 }
    await tracker.flush()
    #expect(sink.units.map(\.count) == [50, 1])
  }

  @Test("Attributes that the app does not name are neither on the disk nor sent")
  func keepsPrivate() async throws {
    let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
    var options = TrackingOptions()
    options.attributes = ["plan"]
    let tracker = try makeTracker(in: folder, to: sink, options)
    tracker.track([.of("ann", attributes: ["plan": "free", "email": "ann@example.com"])])
    await tracker.flush()
    #expect(try folder.text.contains("free"))
    #expect(try !folder.text.contains("example.com"))
    let waiting = try await tracker.waitingEvents()
    #expect(waiting == sink.events && waiting.count == 1)
    guard case .exposure(let exposure)? = waiting.first?.content else { throw FlagError(.general, "no exposure") }
    #expect(exposure.attributes == ["plan": "free"])
  }

  @Test("Who opts out leaves nothing, and is not tracked until opting in again")
  func optsOut() async throws {
    let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
    let tracker = try makeTracker(in: folder, to: sink)
    tracker.track([.of("ann")])
    await tracker.flush()
    tracker.track([.of("ben")])
    await tracker.setOptedOut(true)
    #expect(try await tracker.waitingEvents().isEmpty)
    #expect(try !folder.text.contains("ann"))
    tracker.track([.of("cid")])
    tracker.collect(Conversion(name: "x", unit: "cid"))
    await tracker.flush()
    await tracker.setOptedOut(false)
    tracker.track([.of("ann")])
    await tracker.flush()
    #expect(sink.units == [["ann"], ["ann"]])
  }

  @Test("A program that begins opted out removes what the last run has left")
  func startsOptedOut() async throws {
    let down = RecordingSink { _ in .retry(after: nil, FlagError(.general, "down")) }
    let first = try makeTracker(in: folder, to: down)
    first.track([.of("ann")])
    await first.flush()
    let sink = RecordingSink()
    var options = TrackingOptions()
    options.isOptedOut = true
    let second = try makeTracker(in: folder, to: sink, options)
    await second.flush()
    #expect(try !folder.text.contains("ann"))
    #expect(sink.batches.isEmpty)
  }

  @Test("Units that are left out by sampling are not sent; the others say the rate")
  func samples() async throws {
    let sink = RecordingSink()
    var options = TrackingOptions()
    options.samplingRate = 0.5
    let tracker = try makeTracker(in: folder, to: sink, options)
    tracker.track((0..<40).map { .of("user-\($0)") })
    for number in 0..<40 { tracker.collect(Conversion(name: "x", unit: "user-\(number)")) }
    await tracker.flush()
    let exposed = sink.events.filter { event in
      if case .exposure(let exposure) = event.content { exposure.rate == 0.5 } else { false }
    }
    #expect((5...35).contains(exposed.count))
    #expect(Set(exposed.map(\.unit)) == Set(sink.events.map(\.unit)) && sink.events.count == 2 * exposed.count)
  }

  @Test("A full queue drops whole units, with their exposures and conversions, and sends how many events were lost")
  func tellsLoss() async throws {
    let (clock, reporter) = (ManualClock(), RecordingReporter())
    let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
    var options = TrackingOptions()
    options.queueBytes = 20_000
    let tracker = try makeTracker(in: folder, to: sink, options, reporter: reporter, environment: .fixed(clock))
    let units = (0..<100).map { "user-\($0)" }
    tracker.track([.of("first")])
    await tracker.flush()
    for unit in units {
      tracker.track([.of(unit)])
      tracker.collect(Conversion(name: "x", unit: unit))
    }
    await tracker.flush()
    let waiting = try await tracker.waitingEvents().map(\.unit)
    #expect(reporter.messages.contains { $0.hasPrefix("the queue was full: ") })
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    try await waitUntil { try await tracker.waitingEvents().isEmpty }
    guard case .loss(let loss)? = sink.events.last?.content, let kept = loss.kept else {
      throw FlagError(.general, "no loss")
    }
    let expected = ["first"] + units.filter { TrackedLoss.position(of: $0) < kept }.flatMap { [$0, $0] }
    #expect(waiting == expected + ["lost \(loss.count)"] && expected.count > 1)
    #expect(loss.total == 201 && loss.count == 201 - expected.count)
  }

  @Test("What cannot be sent is reported, and keeps nothing else from being sent")
  func reportsUnsendable() async throws {
    let (sink, reporter) = (RecordingSink(), RecordingReporter())
    var options = TrackingOptions()
    options.batchBytes = 1000
    let tracker = try makeTracker(in: folder, to: sink, options, reporter: reporter)
    tracker.track([.of("nan", variant: nil, value: .double(.nan)), .of(String(repeating: "x", count: 2000))])
    tracker.track([.of("ann")])
    await tracker.flush()
    #expect(sink.units == [["ann"], ["lost 2"]])
    #expect(reporter.messages.count == 2)
  }

  @Test("What a run has left is sent by the next one, under the same id")
  func sendsLeftovers() async throws {
    let down = RecordingSink { _ in .retry(after: nil, FlagError(.general, "down")) }
    do {
      let first = try makeTracker(in: folder, to: down, environment: .fixed(name: "first"))
      first.track([.of("ann")])
      await first.flush()
    }
    let sink = RecordingSink()
    let second = try makeTracker(in: folder, to: sink, environment: .fixed(name: "second"))
    await second.flush()
    #expect(sink.batches == down.batches && sink.units == [["ann"]])
  }

  @Test("Events are sent from memory where the folder cannot be written, which is reported once, and its end")
  func sendsFromMemory() async throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let (sink, reporter) = (RecordingSink(), RecordingReporter())
    let tracker = try EventTracker(in: file, to: sink, reporter: reporter, environment: .fixed())
    for unit in ["ann", "ben", "eve"] {
      tracker.track([.of(unit)])
      try await tracker.flush(timeout: .seconds(60))
    }
    #expect(sink.units == [["ann"], ["ben"], ["eve"]])
    #expect(reporter.messages.count == 1 && reporter.messages[0].hasPrefix("\(file.path): expected a folder"))
    try FileManager.default.removeItem(at: file)
    tracker.track([.of("kim")])
    try await tracker.flush(timeout: .seconds(60))
    #expect(sink.units.last == ["kim"])
    #expect(reporter.messages.dropFirst() == ["events are written to the disk again"])
  }

  @Test("Events in memory are written as soon as the folder can be, but for a batch that is being sent")
  func movesToDisk() async throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    do {
      let clock = ManualClock()
      let down = RecordingSink { _ in .retry(after: nil, FlagError(.general, "down")) }
      let tracker = try EventTracker(in: file, to: down, environment: .fixed(clock, name: "first"))
      tracker.track([.of("ann")])
      tracker.collect(Conversion(name: "x", unit: "ben"))
      await tracker.flush()
      #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains("queue.jsonl"))
      tracker.track([.of("eve")])
      await tracker.flush()
      try FileManager.default.removeItem(at: file)
      await tracker.flush()
      #expect(try await tracker.waitingEvents().map(\.unit).sorted() == ["ann", "ben", "eve"])
    }
    let sink = RecordingSink()
    let next = try EventTracker(in: file, to: sink, environment: .fixed(name: "second"))
    await next.flush()
    #expect(sink.units == [["eve"]])
  }

  @Test("The queue in memory has limits of events and bytes; what overflows is counted, and reported")
  func boundsMemory() async throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    for isOfBytes in [true, false] {
      let (clock, reporter) = (ManualClock(), RecordingReporter())
      let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
      var options = TrackingOptions()
      if isOfBytes { options.queueBytes = 10_000 } else { options.bufferEvents = 50 }
      let tracker = try EventTracker(
        in: file, to: sink, options: options, reporter: reporter, environment: .fixed(clock))
      for number in 0..<400 {
        tracker.collect(Conversion(name: "x", unit: "\(number)"))
        if number % 40 == 0 { await tracker.flush() }
      }
      await tracker.flush()
      #expect(reporter.messages.contains { $0.hasPrefix("the queue was full: ") })
      #expect(reporter.messages.count { $0.contains("expected a folder") } == 1)
      await clock.waitForSleeper(for: .milliseconds(500))
      clock.advance(by: .milliseconds(500))
      try await waitUntil { if case .loss = sink.events.last?.content { true } else { false } }
      guard case .loss(let loss)? = sink.events.last?.content else { throw FlagError(.general, "no loss") }
      let sent = Set(sink.events.map(\.id)).count - 1
      #expect(sent + loss.count == 400 && (1...(isOfBytes ? 150 : 50)).contains(sent))
    }
  }

  @Test("A user who opts out is removed from the queue in memory, and others are sent while the disk is not readable")
  func optsOutInMemory() async throws {
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let clock = ManualClock()
    let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
    let tracker = try EventTracker(in: file, to: sink, environment: .fixed(clock))
    tracker.track([.of("ann"), .of("ben")])
    await tracker.flush()
    await tracker.setOptedOut(true, unit: "ann")
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    try await waitUntil { sink.batches.count == 2 }
    #expect(sink.units == [["ann", "ben"], ["ben"]])
  }

  @Test("After a shutdown nothing more is tracked")
  func shutsDown() async throws {
    let sink = RecordingSink()
    let tracker = try makeTracker(in: folder, to: sink)
    tracker.track([.of("ann")])
    await tracker.shutdown()
    tracker.track([.of("ben")])
    await tracker.flush()
    #expect(sink.units == [["ann"]])
  }
}

extension EventTrackerTests {
  @Test("Ten thousand reads of one experiment on eight threads are one exposure; the next window has the next")
  func countsOnce() async throws {
    let (sink, clock) = (RecordingSink(), ManualClock())
    let time = Locked<Int64>(0)
    var environment = TrackingEnvironment.fixed(clock)
    environment.now = { time.withLock { $0 } }
    let tracker = try makeTracker(in: folder, to: sink, environment: environment)
    let flags = try FeatureFlagClient(catalogs: [], exposures: tracker) {}
    flags.authenticator.setUser(FlagUser(id: "ann"))
    let flag = Flag("experiment", default: [1, 2, 3], FlagMetadata(isExperiment: true))
    try await onThreads(8) { _ in
      for _ in 0..<1250 { _ = flags.manager.variation(for: flag) }
    }
    await tracker.flush()
    #expect(sink.units == [["ann"]])
    await clock.waitForSleeper(for: .seconds(600))
    time.withLock { $0 = 600_000 }
    clock.advance(by: .seconds(600))
    try await waitUntil {
      _ = flags.manager.variation(for: flag)
      await tracker.flush()
      return sink.units.count > 1
    }
    #expect(sink.units == [["ann"], ["ann"]])
  }

  @Test("Two trackers in one folder lose nothing, and send nothing twice")
  func sharesFolder() async throws {
    let sink = RecordingSink()
    let trackers = try ["one", "two"].map { try makeTracker(in: folder, to: sink, environment: .fixed(name: $0)) }
    await withTaskGroup { group in
      for (index, tracker) in trackers.enumerated() {
        group.addTask {
          for round in 0..<20 {
            tracker.collect(Conversion(name: "x", unit: "\(index)-\(round)"))
            await tracker.flush()
          }
        }
      }
    }
    // Whoever finds the other one sending leaves it to that one.
    while sink.events.count < 40 {
      for tracker in trackers { await tracker.flush() }
    }
    #expect(Set(sink.events.map(\.id)).count == sink.events.count)
    #expect(Set(sink.events.map(\.unit)) == Set((0..<20).flatMap { ["0-\($0)", "1-\($0)"] }))
  }
}

import FlagDomain
import FlagEvents
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("A tracker on a full disk", .timeLimit(.minutes(15)))
struct FullDiskTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("Events that cannot be written are sent from memory, and then what was lost there for want of room")
    func sendsWithoutRoom() async throws {
      await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
        limitThisProcess()
        signal(SIGXFSZ, SIG_IGN)
        let unlimited = try limitFiles(to: 20_000)
        let (sink, reporter) = (RecordingSink(), RecordingReporter())
        var options = TrackingOptions()
        (options.bufferEvents, options.batchEvents) = (400, .max)
        let tracker = try EventTracker(
          in: URL(filePath: path).appending(path: "queue"), to: sink, options: options, reporter: reporter,
          environment: .fixed())
        // What a new tracker starts by itself is over.
        for _ in 0..<2 { await tracker.flush() }
        for number in 0..<1000 { tracker.collect(Conversion(name: "x", unit: "\(number)")) }
        await tracker.flush()
        #expect(reporter.messages.count { $0.contains("File too large") } == 1)
        _ = try limitFiles(to: unlimited)
        guard case .loss(let loss)? = sink.events.last?.content, let kept = loss.kept else {
          throw FlagError(.general, "no loss")
        }
        let units = (0..<1000).map { "\($0)" }.filter { TrackedLoss.position(of: $0) < kept }
        #expect(sink.events.dropLast().map(\.unit) == units && !units.isEmpty)
        #expect(loss.count == 1000 - units.count && loss.total == 1000)
      }
    }
  #endif

  #if os(Linux)
    @Test("A queue that fills its disk is sent and emptied, although nothing new can be written", .needs(.mounting))
    func emptiesFullDisk() async throws {
      let small = folder.url.appending(path: "small")
      try FileManager.default.createDirectory(at: small, withIntermediateDirectories: true)
      #expect(mount("none", small.path, "tmpfs", 0, "size=64k") == 0)
      defer { umount2(small.path, Int32(MNT_DETACH)) }
      let (clock, reporter) = (ManualClock(), RecordingReporter())
      let sink = RecordingSink([.retry(after: nil, FlagError(.general, "down"))])
      var options = TrackingOptions()
      (options.bufferEvents, options.batchEvents) = (100, .max)
      let tracker = try EventTracker(
        in: small, to: sink, options: options, reporter: reporter, environment: .fixed(clock))
      for number in 0..<2000 {
        tracker.collect(Conversion(name: "x", unit: "\(number)"))
        if number % 50 == 49 { await tracker.flush() }
      }
      #expect(reporter.messages.contains { $0.contains("No space left on device") })
      await clock.waitForSleeper(for: .milliseconds(500))
      clock.advance(by: .milliseconds(500))
      try await waitUntil {
        await tracker.flush()
        return try await tracker.waitingEvents().isEmpty
      }
      var lost = 0
      for case .loss(let loss) in sink.events.map(\.content) { lost += loss.count }
      let sent = Set(sink.events.filter { if case .loss = $0.content { false } else { true } }.map(\.id)).count
      #expect(lost > 0 && sent + lost == 2000)
      #expect(Set(sink.batches.map(\.id)).count == sink.batches.count - 1)
    }
  #endif
}

/// Limits the size of files that this process writes from now on, and returns the limit before.
private func limitFiles(to number: rlim_t) throws -> rlim_t {
  #if os(Linux)
    let resource = __rlimit_resource_t(1)
  #else
    let resource = RLIMIT_FSIZE
  #endif
  var limits = rlimit()
  guard getrlimit(resource, &limits) == 0 else { throw FlagError(.general, "no limit") }
  let before = limits.rlim_cur
  limits.rlim_cur = number
  guard setrlimit(resource, &limits) == 0 else { throw FlagError(.general, "not limited") }
  return before
}

import FlagDomain
import FlagEvents
import FlagTracking
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A tracker whose program is killed", .timeLimit(.minutes(30)))
struct KilledTrackerTests {
  #if compiler(>=6.3) && (os(macOS) || os(Linux))
    @Test("What was flushed is sent, and nothing under two ids, by one program at a time or by two", arguments: [1, 2])
    func survives(programs: Int) async throws {
      let rounds = Effort.rounds(4, thorough: 10, long: 200)
      let folder = try TemporaryFolder()
      for round in 1...rounds {
        await withTaskGroup { group in
          for program in 0..<programs {
            group.addTask { await runUntilKilled(in: folder.url.path, round + program * rounds) }
          }
        }
      }
      let last = TrackingProgram(in: folder.url)
      try await last.tracker().flush()
      // A line of the log is the id of a batch, and the units of its events.
      let sent = try last.lines(of: "sent").map { $0.split(separator: " ").map(String.init) }
      var batches: [String: Set<String>] = [:]
      for words in sent { for unit in words.dropFirst() { batches[unit, default: []].insert(words[0]) } }
      let flushed = try last.lines(of: "flushed")
      #expect(flushed.allSatisfy { batches[$0] != nil })
      #expect(batches.values.allSatisfy { $0.count == 1 })
      #expect(!flushed.isEmpty)
    }

    private func runUntilKilled(in path: String, _ round: Int) async {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
        limitThisProcess()
        try await TrackingProgram(in: URL(filePath: path)).trackUntilKilled(round)
      }
    }
  #endif
}

/// A program that tracks conversions, each of a unit of its own, and notes what it has flushed.
private struct TrackingProgram: Sendable {
  let folder: URL

  init(in folder: URL) { self.folder = folder }

  func tracker() throws -> EventTracker {
    try EventTracker(
      in: folder.appending(path: "queue"),
      to: ClosureSink { batch in
        try note("\(batch.id) \(batch.events.map(\.unit).joined(separator: " "))", in: "sent")
      })
  }

  /// Tracks, and is killed in the middle of it some time after a number of flushes.
  func trackUntilKilled(_ round: Int) async throws {
    let tracker = try tracker()
    let flushes = Flushes()
    Thread.detachNewThread {
      while flushes.count.load(ordering: .relaxed) < round % 4 {}
      for _ in 0..<(round &* 48_271 % 20_000) {}
      kill(getpid(), SIGKILL)
    }
    for number in 0... {
      let units = (0...number % 3).map { "\(round)-\(number)-\($0)" }
      for unit in units { tracker.collect(Conversion(name: "x", unit: unit)) }
      await tracker.flush()
      for unit in units { try note(unit, in: "flushed") }
      flushes.count.add(1, ordering: .relaxed)
    }
  }

  private final class Flushes: Sendable {
    let count = Atomic(0)
  }

  func lines(of name: String) throws -> [String] {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Adds a line to a file in one call of the system, which a kill does not cut in two.
  private func note(_ line: String, in name: String) throws {
    let file = open(folder.appending(path: name).path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    let text = "\(line)\n"
    guard write(file, text, text.utf8.count) == text.utf8.count else { throw FlagError(.general, "not noted") }
  }
}

import FlagDomain
import FlagEvents
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("A queue on the disk", .timeLimit(.minutes(15)))
struct EventQueueTests {
  private let folder: TemporaryFolder
  private let queue: EventQueue

  init() throws {
    folder = try TemporaryFolder()
    queue = EventQueue(in: folder.url)
  }

  private var file: URL { folder.url.appending(path: "queue.jsonl") }

  @Test("Events are batches from the moment that they are sent, which keep their ids until they are finished")
  func claimsBatches() throws {
    try add(1...3)
    let first = try queue.next(events: 2)
    try add(4...5)
    #expect(try first == queue.next(events: 5) && first?.units == ["1", "2"])
    try queue.finish(first)
    try queue.finish(first)  // by another process, too
    let second = try queue.next(events: 5)
    #expect(second?.units == ["3", "4", "5"] && second?.id != first?.id)
    try queue.finish(second)
    #expect(try queue.next(events: 5) == nil)
    #expect(try Data(contentsOf: file).count == QueueState.headerBytes)
  }

  @Test("A batch holds as many events as a number and a size permit, and one that is larger alone")
  func limitsBatches() throws {
    try add(1...9)
    let line = try Self.line(1).weight
    var sizes: [Int] = []
    while let batch = try queue.next(events: 4, bytes: sizes.isEmpty ? 3 * line : sizes.count == 1 ? 1 : 10_000) {
      sizes.append(batch.lines.count)
      try queue.finish(batch)
    }
    #expect(sizes == [3, 1, 4, 1])
  }

  @Test("A file without a state is none of a queue, and is replaced")
  func replacesStrangers() throws {
    try Data("{\"batch\":\"one\"}\n\(String(decoding: try Self.line(1).bytes, as: UTF8.self))\n".utf8).write(to: file)
    try add(2...2)
    #expect(try queue.next(events: 5)?.units == ["2"])
  }

  @Test("A batch that is halved keeps its order, and its first half has a new id")
  func halves() throws {
    try add(1...5)
    let batch = try #require(try queue.next(events: 5))
    #expect(try queue.open { queue throws(FlagError) in try queue.split(batch.id) { "half" } })
    let half = try queue.next(events: 5)
    #expect(half?.id == "half" && half?.units == ["1", "2"])
    try queue.finish(half)
    let rest = try queue.next(events: 1)
    #expect(rest?.units == ["3"])
    #expect(try queue.open { queue throws(FlagError) in try !queue.split(rest?.id ?? "") { "half" } })
  }

  @Test("A full queue keeps a share of units whole, refuses the others until it is empty, and then reports them")
  func dropsUnits() throws {
    let limit = 20_000
    var tracked = 0
    for round in 0..<4 {
      try add(1...200, name: "round-\(round)", limit: limit)
      tracked += 200
    }
    let left = try queue.open { queue throws(FlagError) in (queue.state, try queue.unsentLines) }
    let units = Set(left.1.map { TrackedEvent.unit(of: $0) })
    let kept = left.0.kept
    #expect(kept < 0.5 && kept > 0)
    #expect(units == Set((1...200).map { "\($0)" }.filter { TrackedLoss.position(of: $0) < kept }))
    #expect(left.1.count == 4 * units.count)
    while try queue.open({ queue throws(FlagError) in queue.unsentBytes > 0 }) {
      try queue.finish(try queue.next(events: 50))
    }
    let report = try #require(try queue.next(events: 50))
    #expect(
      try report.events.map(\.content) == [
        .loss(TrackedLoss(count: tracked - left.1.count, total: tracked, kept: kept))
      ])
    try queue.finish(report)
    try add(1...200)
    #expect(try queue.open { queue throws(FlagError) in try queue.unsentLines.count } == 200)
  }

  @Test("Of conversions with several units, a full queue keeps all of each unit that is kept")
  func keepsEachUnit() throws {
    func conversions(_ round: Int) throws -> [QueueLine] {
      try (0..<200).map { number in
        let units = ["targetingKey": "user-\(number)", "company": "c-\(number / 10)"]
        let event = TrackedEvent(
          id: "\(round)-\(number)", time: EventTime(milliseconds: 0),
          content: .conversion(Conversion(name: "x", units: units)))
        return QueueLine(try event.line())
      }
    }
    for round in 0..<4 { try queue.add(try conversions(round), limit: 40_000) }
    let left = try queue.open { queue throws(FlagError) in (queue.state, try queue.unsentLines) }
    let lines = left.1.map { QueueLine($0) }
    #expect(left.0.kept < 0.5 && left.0.kept > 0)
    for unit in (0..<200).map({ "user-\($0)" }) + (0..<20).map({ "c-\($0)" })
    where TrackedLoss.position(of: unit) < left.0.kept {
      #expect(lines.count { $0.names(unit) } == (unit.hasPrefix("c") ? 40 : 4), "\(unit)")
    }
    #expect(lines.allSatisfy { $0.units.contains { TrackedLoss.position(of: $0) < left.0.kept } })
  }

  @Test("If one unit alone fills the queue, it is dropped, and the loss names it")
  func namesUnit() throws {
    for round in 0..<40 {
      try queue.add([Self.line(7, name: "a-long-name-\(round)")], limit: 2000)
    }
    let loss = try #require(try queue.next(events: 100))
    #expect(try loss.events.map(\.content) == [.loss(TrackedLoss(count: 40, total: 40, unit: "7"))])
  }

  @Test("Losses that the sink refuses are reported again after something else is delivered")
  func holdsReports() throws {
    try add(1...2)
    try queue.finish(try queue.next(events: 5), isDelivered: false, lost: 2)
    let first = try #require(try queue.next(events: 5))
    #expect(try first.events.map(\.content) == [.loss(TrackedLoss(count: 2, total: 2))])
    try queue.finish(first, isDelivered: false, lost: 1)
    #expect(try queue.next(events: 5) == nil)
    try add(3...3)
    try queue.finish(try queue.next(events: 5))
    #expect(try queue.next(events: 5)?.events.map(\.content) == [.loss(TrackedLoss(count: 2, total: 3))])
  }

  @Test("A unit's events are removed, also from a batch that is being sent, and others stay in their batches")
  func removesUnits() throws {
    try add(1...3)
    try add(1...3)
    let batch = try #require(try queue.next(events: 3))
    try queue.open { queue throws(FlagError) in try queue.remove("2") }
    #expect(try !String(contentsOf: file, encoding: .utf8).contains(#""unit":"2""#))
    let left = try #require(try queue.next(events: 3))
    #expect(left.id == batch.id && left.units == ["1", "3"])
    try queue.finish(left)
    #expect(try queue.next(events: 3)?.units == ["1", "3"])
  }

  @Test("A long queue is neither rewritten for new events nor for each batch")
  func appends() throws {
    try add(1...2000, limit: 1 << 20)
    let identity = try inode()
    for _ in 0..<10 {
      try queue.finish(try queue.next(events: 50))
      try add(1...1, limit: 1 << 20)
    }
    #expect(try inode() == identity)
    // The space of sent events is reclaimed once there are more of them than of others.
    while let batch = try queue.next(events: 500) { try queue.finish(batch) }
    #expect(try Data(contentsOf: file).count == QueueState.headerBytes)
  }

  private func inode() throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? UInt64
  }

  private func add(_ numbers: ClosedRange<Int>, name: String = "x", limit: Int = 1 << 20) throws {
    try queue.add(try numbers.map { try Self.line($0, name: name) }, limit: limit)
  }

  private static func line(_ number: Int, name: String = "x") throws -> QueueLine {
    let event = TrackedEvent(
      id: "e\(number)", time: EventTime(milliseconds: 0),
      content: .conversion(Conversion(name: name, unit: "\(number)")))
    return QueueLine(try event.line())
  }
}

import FlagDomain
import FlagEvents
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("The content of a queue", .timeLimit(.minutes(15)))
struct QueueContentTests {
  @Test("Batches are read back as they were written")
  func readsBack() throws {
    let content = try QueueContent(batches: [batch("one", 1...3), batch("two", 4...4)])
    #expect(QueueContent(content.bytes) == content)
    #expect(QueueContent([]).batches.isEmpty)
    #expect(content.eventCount == 4)
  }

  @Test("Past a limit of events the oldest go, and how many is an event of its own")
  func dropsOldest() throws {
    var content = QueueContent()
    let limits = options(events: 5, bytes: 1 << 20)
    let first = try content.append([batch("one", 1...3)], within: limits, loss: loss)
    let second = try content.append([batch("two", 4...6)], within: limits, loss: loss)
    #expect(try units(content) == [["3"], ["4", "5", "6"], ["lost 2"]])
    let third = try content.append([batch("three", 7...8)], within: limits, loss: loss)
    #expect(try units(content) == [["5", "6"], ["7", "8"], ["lost 4"]])
    #expect(first == 0 && second == 2 && third == 2)
    #expect(content.eventCount == 5)
  }

  @Test("Past a limit of bytes the oldest go, too")
  func dropsBytes() throws {
    var content = QueueContent()
    let line = try event(1).line().count
    let limits = options(events: 1000, bytes: 10 * line + 200)
    let dropped = try content.append([batch("one", 1...9), batch("two", 1...9)], within: limits, loss: loss)
    #expect(dropped == 8)
    #expect(try units(content).map(\.count) == [1, 9, 1])
  }

  @Test("A batch is replaced by its halves in its place, or removed")
  func replaces() throws {
    var content = try QueueContent(batches: [batch("one", 1...2), batch("two", 3...3)])
    let halves = try [batch("a", 1...1), batch("b", 2...2)]
    let outcomes = [
      content.replace("one", with: halves), content.batches.count == 3, content.replace("b", with: []),
      !content.replace("b", with: []),
    ]
    #expect(outcomes == [true, true, true, true])
    #expect(content.batches.map(\.id) == ["a", "two"])
  }

  @Test("Whatever a file holds, it is read without harm")
  func readsAnything() throws {
    var random = SeededGenerator(seed: 14)
    let bytes = try QueueContent(batches: [batch("one", 1...3), batch("two", 4...4)]).bytes
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      changed.removeLast(Int.random(in: 0..<changed.count, using: &random))
      var content = QueueContent(changed)
      _ = try content.append(
        [batch("three", 1...2)], within: options(events: 3, bytes: 1 << 20), loss: loss)
      #expect(content.eventCount <= 3)
    }
  }

  private func options(events: Int, bytes: Int) -> TrackingOptions {
    var options = TrackingOptions()
    (options.queueEvents, options.queueBytes) = (events, bytes)
    return options
  }

  private func event(_ number: Int) -> TrackedEvent {
    TrackedEvent(
      id: "e\(number)", time: EventTime(milliseconds: 0), content: .conversion(Conversion(name: "x", unit: "\(number)"))
    )
  }

  private func batch(_ id: String, _ numbers: ClosedRange<Int>) throws -> QueueContent.Batch {
    QueueContent.Batch(id: id, lines: try numbers.map { number in try event(number).line() })
  }

  private func loss(_ count: Int) throws(FlagError) -> QueueContent.Batch {
    QueueContent.Batch(
      id: "loss",
      lines: [try TrackedEvent(id: "l", time: EventTime(milliseconds: 0), content: .loss(TrackedLoss(count: count))).line()])
  }

  private func units(_ content: QueueContent) throws -> [[String]] {
    try content.batches.map {
      try $0.lines.map { line in try TrackedEvent.reading(String(decoding: line, as: UTF8.self)).unit }
    }
  }
}

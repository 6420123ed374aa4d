import FlagDomain
import FlagEvents
import Foundation
import TestSupport
import Testing

@testable import FlagTracking

@Suite("A queue whose writer was killed", .timeLimit(.minutes(15)))
struct TornQueueTests {
  /// The content of a queue.
  private struct Content: Equatable {
    var state: QueueState
    var units: [String]
  }

  private let folder: TemporaryFolder
  private let queue: EventQueue

  init() throws {
    folder = try TemporaryFolder()
    queue = EventQueue(in: folder.url)
  }

  private var file: URL { folder.url.appending(path: "queue.jsonl") }

  @Test("At whichever byte a change of the state ends, the old state is there or the new one")
  func keepsState() throws {
    try add(1...6)
    let changes: [() throws -> Void] = [
      { _ = try queue.next(events: 3) },
      { try queue.finish(try queue.next(events: 3)) },
      { _ = try queue.next(events: 3) },
      { try queue.open { queue throws(FlagError) in _ = try queue.split(queue.state.claim?.id ?? "") { "half" } } },
      { try queue.finish(try queue.next(events: 3), isDelivered: false, lost: 1) },
    ]
    for change in changes {
      let (before, old) = (try Data(contentsOf: file), try content())
      try change()
      let (after, new) = (try Data(contentsOf: file), try content())
      #expect(old != new)
      for cut in stride(from: 0, through: QueueState.headerBytes, by: Effort.isThorough ? 61 : 307) {
        try (after.prefix(cut) + before.dropFirst(cut)).write(to: file)
        #expect(try [old, new].contains(content()), "\(cut)")
      }
      try after.write(to: file)
    }
  }

  @Test("At whichever byte appending ends, whole events are there, and what is added next is read after them")
  func keepsLines() throws {
    try add(1...2)
    let before = try Data(contentsOf: file)
    try add(3...5)
    let after = try Data(contentsOf: file)
    for cut in stride(from: before.count, through: after.count, by: 17) {
      try (before.prefix(QueueState.headerBytes) + after.prefix(cut).dropFirst(QueueState.headerBytes)).write(to: file)
      try add(9...9)
      let units = try content().units
      #expect(units.last == "9" && ["1", "2", "3", "4", "5"].starts(with: units.dropLast()) && units.count > 2)
    }
  }

  @Test("If the file was cut when all was sent, and its state was not changed, nothing is sent again or left out")
  func survivesCut() throws {
    try add(1...3)
    let batch = try queue.next(events: 5)
    for start in [0, 1] {
      if start == 1 {
        try add(4...5)
        try queue.finish(batch)
        _ = try queue.next(events: 5)
      }
      try Data(contentsOf: file).prefix(QueueState.headerBytes).write(to: file)
      try add(6...7)
      #expect(try content().units == ["6", "7"] && queue.next(events: 5)?.units == ["6", "7"])
      try queue.open { queue throws(FlagError) in try queue.clear() }
      try add(1...3)
    }
  }

  @Test("Whatever a file holds, it is read without harm")
  func readsAnything() throws {
    try add(1...4)
    _ = try queue.next(events: 2)
    let bytes = try Data(contentsOf: file)
    var random = SeededGenerator(seed: 14)
    for _ in 0..<Effort.rounds(40, thorough: 1000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      changed.removeLast(Int.random(in: 0..<changed.count, using: &random))
      try changed.write(to: file)
      try add(5...6)
      var count = 0
      while let batch = try queue.next(events: 3), count < 20 {
        try queue.finish(batch)
        count += 1
      }
      #expect(count < 20)
    }
  }

  private func content() throws -> Content {
    try queue.open { queue throws(FlagError) in
      var state = queue.state
      state.version = 0
      return Content(state: state, units: try queue.unsentLines.map { TrackedEvent.unit(of: $0) })
    }
  }

  private func add(_ numbers: ClosedRange<Int>) throws {
    try queue.add(
      numbers.map { number in
        QueueLine(Array(#"{"id":"e\#(number)","kind":"conversion","name":"x","unit":"\#(number)"}"#.utf8))
      })
  }
}

import FlagDomain
import FlagEvents
import Foundation

@testable import FlagTracking

extension EventQueue {
  func add(_ lines: [QueueLine], limit: Int = 1 << 20) throws(FlagError) {
    let losses = QueueLosses(tracked: lines.count)
    _ = try open { queue throws(FlagError) in try queue.add(lines, losses, limit: limit) }
  }

  func next(events: Int, bytes: Int = 1 << 20) throws(FlagError) -> QueueBatch? {
    try open { queue throws(FlagError) in
      try queue.nextBatch(within: .init(events: events, bytes: bytes), now: 0) { UUID().uuidString }
    }
  }

  func finish(_ batch: QueueBatch?, isDelivered: Bool = true, lost: Int = 0) throws(FlagError) {
    guard let batch else { throw FlagError(.general, "expected a batch") }
    try open { queue throws(FlagError) in try queue.finish(batch.id, isDelivered: isDelivered, lost: lost) }
  }
}

extension QueueBatch {
  var events: [TrackedEvent] {
    get throws { try lines.map { try TrackedEvent.reading(String(decoding: $0, as: UTF8.self)) } }
  }

  var units: [String] { lines.map { TrackedEvent.unit(of: $0) } }
}

extension TrackedEvent {
  static func unit(of line: [UInt8]) -> String { QueueLine(line).units.first ?? "" }
}

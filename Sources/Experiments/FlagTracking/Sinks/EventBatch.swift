import FlagDomain
public import FlagEvents

/// A batch of events that are sent together.
public struct EventBatch: Sendable {
  /// The unique id of the batch, a UUID; it stays the same when the batch is sent again.
  public let id: String
  /// The events, oldest first.
  public private(set) var events: [TrackedEvent] = []
  /// The events that are already in the queue, as lines of JSON, so that they need not be encoded again.
  private(set) var written: [[UInt8]] = []

  /// Creates a batch.
  public init(id: String, events: [TrackedEvent]) { (self.id, self.events) = (id, events) }

  /// Creates an empty batch, to be filled from a queue.
  init(id: String) { self.id = id }

  mutating func append(_ event: TrackedEvent, _ line: [UInt8]) {
    events.append(event)
    written.append(line)
  }

  var lines: [[UInt8]] {
    get throws(FlagError) {
      if !written.isEmpty { return written }
      var lines: [[UInt8]] = []
      for event in events { lines.append(try event.line()) }
      return lines
    }
  }
}

extension EventBatch: Hashable {
  /// Returns whether both batches have the same id and the same events.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.events == right.events }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Parses a stream of server-sent events, from chunks of any size (WHATWG HTML, 9.2.6).
///
/// Its buffer is bounded: a line or an event above the limit is an error, after which the parser cannot be used.
/// An event that is incomplete at the end of the stream is discarded, as the standard requires.
package struct EventStreamParser: Sendable {
  /// The id that a client sends when it reconnects; empty until the stream has sent one.
  package private(set) var lastEventID = ""
  /// The time to wait before reconnecting, if the server has sent one.
  package private(set) var reconnectionTime: Duration?

  private let limits: EventStreamLimits
  private var line: [UInt8] = []
  private var endedByReturn = false
  private var isFirstLine = true
  private var type = ""
  private var data: [UInt8] = []
  private var id: String?
  private var failure: EventStreamError?

  package init(limits: EventStreamLimits = EventStreamLimits()) { self.limits = limits }
}

/// The maximum sizes of the lines and the events of a stream, in bytes.
package struct EventStreamLimits: Hashable, Sendable {
  package var line: Int
  /// The limit for the data of one event.
  package var event: Int

  package init(line: Int = 1 << 20, event: Int = 4 << 20) {
    self.line = line
    self.event = event
  }
}

/// An error that makes a stream of events unreadable.
package enum EventStreamError: Error, Hashable, Sendable {
  case lineTooLong(limit: Int)
  /// The data of an event exceeds the limit.
  case eventTooLong(limit: Int)
}

extension EventStreamParser {
  /// Parses the next bytes of the stream, and returns the events that they complete.
  ///
  /// After an error, every later call throws the same error.
  package mutating func append(_ bytes: some Sequence<UInt8>) throws(EventStreamError) -> [ServerSentEvent] {
    if let failure { throw failure }
    var events: [ServerSentEvent] = []
    for byte in bytes {
      if byte == 0x0A, endedByReturn {
        endedByReturn = false
        continue
      }
      endedByReturn = byte == 0x0D
      if byte == 0x0A || byte == 0x0D {
        if let event = try endLine() { events.append(event) }
      } else {
        guard line.count < limits.line else { throw fail(.lineTooLong(limit: limits.line)) }
        line.append(byte)
      }
    }
    return events
  }

  private mutating func fail(_ error: EventStreamError) -> EventStreamError {
    failure = error
    return error
  }

  private mutating func endLine() throws(EventStreamError) -> ServerSentEvent? {
    defer {
      line.removeAll(keepingCapacity: line.capacity <= 4096)
      isFirstLine = false
    }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let name = line[..<(colon ?? line.endIndex)]
    var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
    if value.first == 0x20 { value.removeFirst() }
    // A comment has an empty name, and so is ignored like a field with an unknown name.
    switch String(decoding: name, as: UTF8.self) {
    case "data":
      guard data.count + value.count <= limits.event else { throw fail(.eventTooLong(limit: limits.event)) }
      data.append(contentsOf: value)
      data.append(0x0A)
    case "event": type = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry": reconnectionTime = value.decimalNumber.map { .milliseconds($0) } ?? reconnectionTime
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> ServerSentEvent? {
    defer {
      type = ""
      data = []
    }
    if let id { lastEventID = id }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: String(decoding: data.dropLast(), as: UTF8.self), id: lastEventID)
  }
}

/// Reads a stream of server-sent events, from pieces that are cut anywhere (WHATWG HTML, 9.2.6).
///
/// What it keeps is bounded: a line or an event that is longer than it may be is an error, after which the stream is
/// good for nothing. An event that the stream ends within is lost, as it should be.
package struct EventStreamParser: Sendable {
  /// The id that a client names when it comes back; empty before there was one.
  package private(set) var lastEventID = ""
  /// How long the server wants a client to wait before it comes back, once it said so.
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

/// How long the lines and the events of a stream may be, in bytes.
package struct EventStreamLimits: Hashable, Sendable {
  package var line: Int
  /// What the data of one event may have.
  package var event: Int

  package init(line: Int = 1 << 20, event: Int = 4 << 20) {
    self.line = line
    self.event = event
  }
}

/// What makes a stream of events unreadable.
package enum EventStreamError: Error, Hashable, Sendable {
  case lineTooLong(limit: Int)
  /// The data of an event has more bytes than it may.
  case eventTooLong(limit: Int)
}

extension EventStreamParser {
  /// Takes the next bytes of the stream, and returns the events that they complete.
  ///
  /// Once it has thrown, it throws the same at every call.
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
    // A comment has no name, and so goes the way of a field that nobody knows.
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

import FlagHTTP
import Testing

@Suite("Streams of events")
struct EventStreamTests {
  private static let examples: [(stream: String, events: [ServerSentEvent])] = [
    ("data: a\n\n", [ServerSentEvent(data: "a")]),
    ("\u{FEFF}data:a\r\rdata:b\r\n\r\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
    ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [
        ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"),
        ServerSentEvent(data: " third event"),
      ]
    ),
    ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
    ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
    (
      "event: add\ndata: 1\n\nevent: remove\n\ndata: 2\n\n",
      [ServerSentEvent(type: "add", data: "1"), ServerSentEvent(data: "2")]
    ),
    (
      "id: 1\n\ndata: a\n\nid: \u{0}2\ndata: b\n\n",
      [ServerSentEvent(data: "a", id: "1"), ServerSentEvent(data: "b", id: "1")]
    ),
    ("retry: 250\nretry: x\ndata: é😀\nunknown: 1\n\n", [ServerSentEvent(data: "é😀")]),
    ("data: \u{FEFF}a\n\n\u{FEFF}data: b\n\n", [ServerSentEvent(data: "\u{FEFF}a")]),
  ]

  @Test("A stream gives the same events wherever it is cut in three", arguments: examples.indices)
  func readsCutStreams(index: Int) throws {
    let (stream, expected) = Self.examples[index]
    let bytes = Array(stream.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = EventStreamParser()
        var events = try parser.append(bytes[..<first])
        events += try parser.append(bytes[first..<second])
        events += try parser.append(bytes[second...])
        guard events == expected else {
          Issue.record("cut at \(first) and \(second): \(events)")
          return
        }
      }
    }
  }

  @Test("The parser remembers the last id and the time to wait")
  func remembers() throws {
    var parser = EventStreamParser()
    _ = try parser.append("id: 7\nretry: 1500\n\nid: 8\n".utf8)
    #expect(parser.lastEventID == "7")
    #expect(parser.reconnectionTime == .milliseconds(1500))
  }

  @Test("A line and an event without end are errors, and stay so")
  func limits() throws {
    var lines = EventStreamParser(limits: EventStreamLimits(line: 8, event: 8))
    _ = try lines.append("data: 12\n".utf8)
    #expect(throws: EventStreamError.lineTooLong(limit: 8)) { try lines.append("data: 123".utf8) }
    #expect(throws: EventStreamError.lineTooLong(limit: 8)) { try lines.append("\n".utf8) }
    var events = EventStreamParser(limits: EventStreamLimits(line: 8, event: 8))
    #expect(throws: EventStreamError.eventTooLong(limit: 8)) {
      try events.append(String(repeating: "data: 1\n", count: 100).utf8)
    }
  }

  @Test(
    "What is written is read back",
    arguments: [
      ServerSentEvent(data: ""), ServerSentEvent(data: "a\nb\n"), ServerSentEvent(type: "change", data: "{}", id: "3"),
    ])
  func roundTrips(event: ServerSentEvent) throws {
    var parser = EventStreamParser()
    let events = try parser.append(ServerSentEvent.heartbeat + event.bytes)
    #expect(events == [event])
  }

  @Test("Line ends in data become lines; in a type or an id they are left out")
  func writesLines() {
    let event = ServerSentEvent(type: "a\nb", data: "1\r\n2\r3\n", id: "x\r\u{0}y")
    #expect(
      String(decoding: event.bytes, as: UTF8.self) == "event: ab\nid: xy\ndata: 1\ndata: 2\ndata: 3\ndata: \n\n")
  }
}

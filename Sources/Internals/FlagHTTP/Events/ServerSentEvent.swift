/// An event of a stream of server-sent events (WHATWG HTML, 9.2).
package struct ServerSentEvent: Hashable, Sendable {
  /// The type of the event; "message" if the stream does not name one.
  package var type: String
  package var data: String
  /// The id that a client sends as the last one it saw when it reconnects; empty if the stream has sent none.
  package var id: String

  package init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }

  /// The event as written to a stream, with the empty line at its end.
  ///
  /// A type and an id fit on one line: line breaks in them, and NUL in an id, are left out. An event without data is
  /// written, but clients ignore it.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if type != "message" { Self.write("event", Self.line(type.utf8), to: &bytes) }
    if !id.isEmpty { Self.write("id", Self.line(id.utf8).filter { $0 != 0 }, to: &bytes) }
    // A lone carriage return is a line break, too; followed by a line feed, both are one.
    var line: [UInt8] = []
    var endedByReturn = false
    for byte in data.utf8 {
      if byte == 0x0A, endedByReturn {
        endedByReturn = false
        continue
      }
      endedByReturn = byte == 0x0D
      if byte == 0x0D || byte == 0x0A {
        Self.write("data", line, to: &bytes)
        line = []
      } else {
        line.append(byte)
      }
    }
    Self.write("data", line, to: &bytes)
    bytes.append(0x0A)
    return bytes
  }

  /// A comment, which keeps an idle stream alive.
  package static let heartbeat = Array(":\n\n".utf8)

  private static func line(_ text: String.UTF8View) -> [UInt8] { text.filter { $0 != 0x0D && $0 != 0x0A } }

  private static func write(_ field: String, _ value: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: field.utf8)
    bytes.append(contentsOf: ": ".utf8)
    bytes.append(contentsOf: value)
    bytes.append(0x0A)
  }
}

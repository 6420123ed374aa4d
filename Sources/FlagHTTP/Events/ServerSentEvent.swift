/// One event of a stream of server-sent events (WHATWG HTML, 9.2).
package struct ServerSentEvent: Hashable, Sendable {
  /// What kind of event it is; "message" where the stream does not say.
  package var type: String
  package var data: String
  /// What a client that comes back names as the last it saw; empty where the stream has said none.
  package var id: String

  package init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}

extension ServerSentEvent {
  /// The event as a stream has it, with the empty line at its end.
  ///
  /// A type and an id fit on one line: line ends in them, and in an id NUL, are left out. An event without data is
  /// written, but clients pass over it.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if type != "message" { Self.write("event", Self.line(type.utf8), to: &bytes) }
    if !id.isEmpty { Self.write("id", Self.line(id.utf8).filter { $0 != 0 }, to: &bytes) }
    // A carriage return alone ends a line, too; with a line feed it ends one, not two.
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

  /// What keeps a stream from looking dead and says nothing: a comment.
  package static let heartbeat = Array(":\n\n".utf8)

  private static func line(_ text: String.UTF8View) -> [UInt8] { text.filter { $0 != 0x0D && $0 != 0x0A } }

  private static func write(_ field: String, _ value: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: field.utf8)
    bytes.append(contentsOf: ": ".utf8)
    bytes.append(contentsOf: value)
    bytes.append(0x0A)
  }
}

import Foundation

/// A stream of messages between compiler and plugin: JSON after its length in eight bytes, least significant first.
struct MessageStream {
  let input: FileHandle
  let output: FileHandle

  func receive<Message: Decodable>(_ type: Message.Type = Message.self) throws -> Message? {
    guard let header = try read(8) else { return nil }
    let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length > 0, let length = Int(exactly: length), let body = try read(length) else { return nil }
    return try JSONDecoder().decode(type, from: body)
  }

  func send(_ message: some Encodable) throws {
    let body = try JSONEncoder().encode(message)
    let header = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(body.count) >> (8 * UInt64($0))) }
    try output.write(contentsOf: Data(header) + body)
  }

  private func read(_ count: Int) throws -> Data? {
    var data = Data()
    while data.count < count {
      guard let part = try input.read(upToCount: count - data.count), !part.isEmpty else { return nil }
      data += part
    }
    return data
  }
}

/// Bytes that wait to be sent, as pieces; a large piece is shared with whoever made it, not copied.
struct OutputBuffer: Sendable {
  private var pieces: [[UInt8]] = []
  private var sent = 0
  private(set) var count = 0
}

extension OutputBuffer {
  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    count += bytes.count
    if let last = pieces.indices.last, pieces[last].count + bytes.count <= Self.joined {
      pieces[last].append(contentsOf: bytes)
    } else {
      pieces.append(bytes)
    }
  }

  /// The first piece, and how many of its bytes have been sent.
  var first: (bytes: [UInt8], sent: Int)? { pieces.first.map { ($0, sent) } }

  mutating func remove(_ number: Int) {
    sent += number
    count -= number
    guard let first = pieces.first, sent >= first.count else { return }
    sent = 0
    pieces.removeFirst()
  }

  /// Up to this many bytes, pieces are joined, so that they are sent at once.
  private static let joined = 16 << 10
}

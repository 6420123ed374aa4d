/// A buffer of unsent bytes, as pieces; a large piece is shared with its creator, not copied.
struct OutputBuffer: Sendable {
  private var pieces: [[UInt8]] = []
  private var sent = 0
  private(set) var count = 0

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

  /// The first piece, and the number of its bytes that have been sent.
  var first: (bytes: [UInt8], sent: Int)? { pieces.first.map { ($0, sent) } }

  mutating func remove(_ number: Int) {
    sent += number
    count -= number
    guard let first = pieces.first, sent >= first.count else { return }
    sent = 0
    pieces.removeFirst()
  }

  /// The size in bytes up to which pieces are joined, so that one call sends them.
  private static let joined = 16 << 10
}

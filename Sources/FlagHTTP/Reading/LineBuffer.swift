/// Bytes that have come and not been read, from which lines are taken; none is looked at twice for its end.
struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
}

extension LineBuffer {
  var isEmpty: Bool { start == bytes.count }
  var count: Int { bytes.count - start }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Takes a line, without the CR LF at its end; nil where the end has not come.
  ///
  /// A line that is longer than a limit, its end included, fails as soon as that is known; so it fails the same
  /// however it was cut. A line that ends in a line feed alone fails, too.
  mutating func line(limit: Int, orElse status: HTTPStatus) throws(HTTPRequestError) -> ArraySlice<UInt8>? {
    var index = searched
    while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    searched = index
    let isWhole = index < bytes.count
    guard index - start + (isWhole ? 1 : 0) <= limit else {
      throw HTTPRequestError(status, "expected a line within a limit of \(limit) bytes, found a longer one")
    }
    guard isWhole else { return nil }
    guard index > start, bytes[index - 1] == 0x0D else {
      throw HTTPRequestError(.badRequest, "expected CR LF at the end of a line, found LF alone")
    }
    defer {
      start = index + 1
      searched = start
    }
    return bytes[start..<(index - 1)]
  }

  /// Takes bytes, as many as there are, up to a number.
  mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
    let end = start + min(count, self.count)
    defer {
      start = end
      searched = end
    }
    return bytes[start..<end]
  }

  /// Releases what has been taken, where that is worth its while.
  mutating func compact() {
    if isEmpty {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
    } else if start > 4096, start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
    } else {
      return
    }
    searched -= start
    start = 0
  }
}

/// A buffer of unread bytes, from which lines are taken; it searches each byte for the end of a line only once.
struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0

  var isEmpty: Bool { start == bytes.count }
  var count: Int { bytes.count - start }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Takes a line, without the CR LF at its end; nil if the line is incomplete.
  ///
  /// A line above the limit, including its end, fails as soon as that is known; so it fails the same way for chunks of
  /// any size. A line that ends in a lone line feed fails, too.
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

  /// Takes as many bytes as there are, up to a number.
  mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
    let end = start + min(count, self.count)
    defer {
      start = end
      searched = end
    }
    return bytes[start..<end]
  }

  /// Frees the memory of taken bytes, if that is worth the copy.
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

import FlagHTTP

/// Reads a response of HTTP/1.1, however its bytes are cut into pieces: a pure value.
///
/// It takes content by its length, in chunks, and up to the connection's end. Trailers are read over.
struct ResponseParser: Sendable {
  /// What a response consists of.
  enum Part: Hashable, Sendable {
    case head(HTTPResponse)
    case content([UInt8])
    case end
  }

  private enum State {
    case head
    /// So many bytes of content are to come.
    case length(Int)
    case untilEnd
    case chunkSize
    case chunk(Int)
    /// The line that ends a chunk.
    case chunkEnd
    case trailers
    case over
  }

  /// The most bytes of a header, of the trailers, and of a line that says how long a chunk is.
  private static let lineLimit = 64 << 10

  private var state = State.head
  private var bytes: [UInt8] = []
}

extension ResponseParser {
  /// Takes the next bytes, and returns what they complete.
  mutating func append(_ more: [UInt8]) throws(TransportError) -> [Part] {
    bytes += more
    var parts: [Part] = []
    while let part = try next() {
      if let part { parts.append(part) }
    }
    return parts
  }

  /// Takes note that the connection has ended.
  mutating func finish() throws(TransportError) -> [Part] {
    switch state {
    case .over: return []
    case .untilEnd:
      state = .over
      return [.end]
    default: throw .failed("the connection was lost")
    }
  }

  /// Takes a step: nil where more bytes are needed, and nil within where the step completes nothing.
  private mutating func next() throws(TransportError) -> Part?? {
    switch state {
    case .head:
      guard let text = try take(through: [0x0D, 0x0A, 0x0D, 0x0A]) else { return nil }
      return .some(try begin(text))
    case .length(let count):
      guard let content = take(upTo: count) else { return nil }
      state = count == content.count ? .over : .length(count - content.count)
      return .some(.content(content))
    case .untilEnd:
      guard let content = take(upTo: .max) else { return nil }
      return .some(.content(content))
    case .chunkSize:
      guard let line = try take(through: [0x0D, 0x0A]) else { return nil }
      let digits = String(decoding: line.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x0D }, as: UTF8.self)
      guard let size = Int(digits, radix: 16), size >= 0, size <= 1 << 30 else {
        throw .failed("expected the size of a chunk, found another answer")
      }
      state = size == 0 ? .trailers : .chunk(size)
      return .some(nil)
    case .chunk(let count):
      guard let content = take(upTo: count) else { return nil }
      state = count == content.count ? .chunkEnd : .chunk(count - content.count)
      return .some(.content(content))
    case .chunkEnd:
      guard let line = try take(through: [0x0D, 0x0A]) else { return nil }
      guard line.count == 2 else { throw .failed("expected the end of a chunk, found another answer") }
      state = .chunkSize
      return .some(nil)
    case .trailers:
      guard let line = try take(through: [0x0D, 0x0A]) else { return nil }
      if line.count == 2 { state = .over }
      return line.count == 2 ? .some(.end) : .some(nil)
    case .over: return nil
    }
  }

  /// Reads a header; nil for one that another follows.
  private mutating func begin(_ text: [UInt8]) throws(TransportError) -> Part? {
    let lines = String(decoding: text.dropLast(4), as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]).flatMap(HTTPStatus.init) else {
      throw .failed("expected an answer of HTTP, found another")
    }
    var fields = HTTPFields()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), let name = HTTPFieldName(String(line[..<colon])) else {
        throw .failed("expected a header field, found another line")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields.append(name, String(value))
    }
    guard status.code >= 200 else { return nil }
    if status.hasNoContent {
      state = .over
    } else if fields.contains("chunked", in: .transferEncoding) {
      state = .chunkSize
    } else if let length = fields[.contentLength] {
      guard let count = Int(length), count >= 0 else {
        throw .failed("expected the length of an answer, found another")
      }
      state = count == 0 ? .over : .length(count)
    } else {
      state = .untilEnd
    }
    return .head(HTTPResponse(status, fields: fields))
  }

  private mutating func take(through end: [UInt8]) throws(TransportError) -> [UInt8]? {
    guard let range = bytes.firstRange(of: end) else {
      guard bytes.count <= Self.lineLimit else { throw .failed("expected a header within 64 KiB, found a longer one") }
      return nil
    }
    defer { bytes.removeSubrange(..<range.upperBound) }
    return Array(bytes[..<range.upperBound])
  }

  private mutating func take(upTo count: Int) -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    let taken = Array(bytes.prefix(count))
    bytes.removeFirst(taken.count)
    return taken
  }

  /// Whether the response is over, whatever the connection still says.
  var isOver: Bool { if case .over = state { true } else { false } }
}

/// Parses requests of HTTP/1.1 and 1.0 (RFC 9112), from chunks of any size.
///
/// It is strict, so that a lenient proxy in front of it cannot see other requests than it does (request smuggling):
/// lines end in CR LF, a length is given once and in one way, a name is followed by its colon, no line is folded. After
/// an error it throws the same one forever, since the beginning of the next request is unknown.
package struct HTTPRequestParser: Sendable {
  enum State {
    case requestLine
    case fields
    case content(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailers
    case failed(HTTPRequestError)
  }

  let limits: HTTPLimits
  var state = State.requestLine
  var input = LineBuffer()
  var request = HTTPRequest(.get, "/")
  var isAfterEmptyLine = false
  var headerBytes = 0
  var headerCount = 0
  var extensionBytes = 0
  var awaitsContinue = false

  package init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

  /// The part of a request that is still missing.
  package enum Progress: Hashable, Sendable {
    /// Nothing of the next request has been received.
    case idle
    case header
    case body
  }

  package var progress: Progress {
    switch state {
    case .requestLine where input.isEmpty && !isAfterEmptyLine: .idle
    case .requestLine, .fields, .failed: .header
    case .content, .chunkSize, .chunk, .chunkEnd, .trailers: .body
    }
  }

  package mutating func append(_ bytes: some Collection<UInt8>) { input.append(bytes) }

  /// Returns the next complete request; nil if more bytes are needed.
  package mutating func next() throws(HTTPRequestError) -> HTTPRequest? {
    defer { input.compact() }
    do {
      while let isComplete = try step() {
        if isComplete { return finish() }
      }
      return nil
    } catch {
      state = .failed(error)
      throw error
    }
  }

  /// Returns, once for each request, whether its client waits for "100 Continue" before it sends the body.
  ///
  /// It does not if some of the body has been received already (RFC 9110, 10.1.1).
  package mutating func takeContinue() -> Bool {
    defer { awaitsContinue = false }
    return awaitsContinue && progress == .body && input.isEmpty && request.body.isEmpty
  }

  /// Reads one line or chunk; returns whether the request is complete, or nil if bytes are missing.
  private mutating func step() throws(HTTPRequestError) -> Bool? {
    switch state {
    case .requestLine:
      guard let line = try input.line(limit: limits.requestLine, orElse: .targetTooLong) else { return nil }
      try readRequestLine(line)
      return false
    case .fields: return try readField()
    case .content(let remaining):
      guard let missing = takeContent(remaining) else { return nil }
      state = .content(remaining: missing)
      return missing == 0
    case .chunkSize: return try readChunkSize()
    case .chunk(let remaining):
      guard let missing = takeContent(remaining) else { return nil }
      state = missing == 0 ? .chunkEnd : .chunk(remaining: missing)
      return false
    case .chunkEnd: return try readChunkEnd()
    case .trailers: return try readTrailer()
    case .failed(let error): throw error
    }
  }

  /// Returns the request, and resets the parser for the next one.
  private mutating func finish() -> HTTPRequest {
    defer {
      request = HTTPRequest(.get, "/")
      state = .requestLine
      isAfterEmptyLine = false
      headerBytes = 0
      headerCount = 0
      extensionBytes = 0
      awaitsContinue = false
    }
    return request
  }
}

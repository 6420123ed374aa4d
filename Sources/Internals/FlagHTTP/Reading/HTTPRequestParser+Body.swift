extension HTTPRequestParser {
  /// Moves content to the request; returns the number of bytes that are still missing, or nil if the buffer was empty.
  mutating func takeContent(_ remaining: Int) -> Int? {
    guard !input.isEmpty else { return nil }
    let content = input.take(upTo: remaining)
    request.body.append(contentsOf: content)
    return remaining - content.count
  }

  mutating func readChunkSize() throws(HTTPRequestError) -> Bool? {
    guard let line = try input.line(limit: chunkLineLimit, orElse: .badRequest) else { return nil }
    let size = try chunkSize(line)
    state = size == 0 ? .trailers : .chunk(remaining: size)
    return false
  }

  mutating func readChunkEnd() throws(HTTPRequestError) -> Bool? {
    guard let line = try input.line(limit: chunkLineLimit, orElse: .badRequest) else { return nil }
    guard line.isEmpty else { throw HTTPRequestError(.badRequest, "expected the end of a chunk, found more of it") }
    state = .chunkSize
    return false
  }

  /// Reads a trailer, or the empty line that ends the request.
  mutating func readTrailer() throws(HTTPRequestError) -> Bool? {
    guard let line = try fieldLine() else { return nil }
    guard !line.isEmpty else { return true }
    request.trailers.append(try Self.field(line))
    return false
  }

  /// The limit for the line with a chunk's size: sixteen digits, the bytes left for extensions, and the line break.
  private var chunkLineLimit: Int { 16 + limits.chunkExtensions - extensionBytes + 2 }

  /// Parses the size of a chunk; its extensions are ignored (RFC 9112, 7.1.1).
  private mutating func chunkSize(_ line: ArraySlice<UInt8>) throws(HTTPRequestError) -> Int {
    let digits = line.prefix { $0.hexDigitValue != nil }
    let extensions = line[digits.endIndex...]
    guard (1...16).contains(digits.count),
      extensions.drop(while: \.isHTTPSpace).first.map({ $0 == UInt8(ascii: ";") }) ?? extensions.isEmpty,
      extensions.allSatisfy(\.isHTTPFieldValueCharacter)
    else { throw HTTPRequestError(.badRequest, "expected the size of a chunk, found something else") }
    extensionBytes += extensions.count
    guard extensionBytes <= limits.chunkExtensions else {
      throw HTTPRequestError(.badRequest, "expected at most \(limits.chunkExtensions) bytes of extensions, found more")
    }
    let size = digits.reduce(UInt64(0)) { $0 << 4 | UInt64($1.hexDigitValue ?? 0) }
    guard size <= UInt64(limits.body - request.body.count) else {
      throw HTTPRequestError(.contentTooLarge, "expected at most \(limits.body) bytes, found a chunk of \(size)")
    }
    return Int(size)
  }
}

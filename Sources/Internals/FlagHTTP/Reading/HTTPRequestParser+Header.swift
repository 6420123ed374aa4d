extension HTTPRequestParser {
  /// Parses the request line; one empty line before it is skipped (RFC 9112, 2.2).
  mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(HTTPRequestError) {
    guard !line.isEmpty else {
      guard !isAfterEmptyLine else { throw HTTPRequestError(.badRequest, "expected a request, found an empty line") }
      isAfterEmptyLine = true
      return
    }
    guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20), first < last else {
      throw HTTPRequestError(.badRequest, "expected a method, a target and a version, found fewer than three words")
    }
    let version = try Self.version(line[(last + 1)...])
    let method = try Self.method(line[..<first])
    request = HTTPRequest(method, try Self.target(line[(first + 1)..<last], for: method), version: version)
    state = .fields
  }

  /// Reads a header field, or the empty line that ends the header.
  mutating func readField() throws(HTTPRequestError) -> Bool? {
    guard let line = try fieldLine() else { return nil }
    guard !line.isEmpty else { return try endFields() }
    request.fields.append(try Self.field(line))
    return false
  }

  /// Takes the next line of the header or of the trailers; an empty one ends them.
  mutating func fieldLine() throws(HTTPRequestError) -> ArraySlice<UInt8>? {
    guard let line = try input.line(limit: limits.headerBytes - headerBytes, orElse: .fieldsTooLarge) else {
      return nil
    }
    headerBytes += line.count + 2
    guard !line.isEmpty else { return line }
    headerCount += 1
    guard headerCount <= limits.headerCount else {
      throw HTTPRequestError(.fieldsTooLarge, "expected at most \(limits.headerCount) fields, found more")
    }
    return line
  }

  /// Determines the length of the body at the end of the header; returns whether the request is complete.
  private mutating func endFields() throws(HTTPRequestError) -> Bool {
    try checkHost()
    let lengths = request.fields.values(of: .contentLength)
    let codings = request.fields.values(of: .transferEncoding)
    try checkExpectation()
    if !codings.isEmpty {
      guard lengths.isEmpty else {
        throw HTTPRequestError(.badRequest, "expected a length or chunks, found both")
      }
      try Self.checkChunked(codings, version: request.version)
      state = .chunkSize
      return false
    }
    guard lengths.count <= 1 else { throw HTTPRequestError(.badRequest, "expected one length, found several") }
    guard let text = lengths.first else {
      guard !request.method.anticipatesContent else {
        throw HTTPRequestError(.lengthRequired, "expected the length of the content, found none")
      }
      return true
    }
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
      throw HTTPRequestError(.badRequest, "expected decimal digits for the length, found something else")
    }
    // A number that does not fit in an Int is beyond every limit.
    guard let length = text.utf8.decimalNumber, length <= limits.body else {
      throw HTTPRequestError(.contentTooLarge, "expected at most \(limits.body) bytes, found a length of \(text)")
    }
    state = .content(remaining: length)
    return length == 0
  }

  private func checkHost() throws(HTTPRequestError) {
    let hosts = request.fields.values(of: .host)
    guard hosts.count == 1 || hosts.isEmpty && request.version == .http10 else {
      throw HTTPRequestError(.badRequest, "expected one host, found \(hosts.count)")
    }
    guard hosts.allSatisfy({ HTTPHost($0) != nil }) else {
      throw HTTPRequestError(.badRequest, "expected a host, found an invalid name")
    }
  }

  private mutating func checkExpectation() throws(HTTPRequestError) {
    guard let expectation = request.fields[.expect], request.version == .http11 else { return }
    guard expectation.equalsIgnoringASCIICase("100-continue") else {
      throw HTTPRequestError(.expectationFailed, "expected \"100-continue\", found another expectation")
    }
    awaitsContinue = true
  }

  private static func checkChunked(_ codings: [String], version: HTTPVersion) throws(HTTPRequestError) {
    guard version == .http11 else { throw HTTPRequestError(.badRequest, "expected a length, found chunks in HTTP/1.0") }
    let names = codings.flatMap { $0.split(separator: ",").map(\.trimmingHTTPSpace) }
    let areChunks = names.map { $0.equalsIgnoringASCIICase("chunked") }
    guard areChunks.last == true, !areChunks.dropLast().contains(true) else {
      throw HTTPRequestError(.badRequest, "expected \"chunked\" once and last, found another order")
    }
    guard names.count == 1, codings.count == 1 else {
      throw HTTPRequestError(.notImplemented, "expected no coding but \"chunked\", found another")
    }
  }

  // MARK: - Words

  static func field(_ line: ArraySlice<UInt8>) throws(HTTPRequestError) -> HTTPFields.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw HTTPRequestError(.badRequest, "expected a name and a colon, found a line without one")
    }
    let name = line[..<colon]
    // A space before the colon and one that folds the line are not token characters either.
    guard !name.isEmpty, name.allSatisfy(\.isHTTPTokenCharacter) else {
      throw HTTPRequestError(.badRequest, "expected the name of a field, found something else before a colon")
    }
    var value = line[(colon + 1)...]
    while value.first?.isHTTPSpace == true { value.removeFirst() }
    while value.last?.isHTTPSpace == true { value.removeLast() }
    guard value.allSatisfy(\.isHTTPFieldValueCharacter) else {
      throw HTTPRequestError(.badRequest, "expected the value of a field, found a control character in it")
    }
    return HTTPFields.Field(
      name: HTTPFieldName(validated: String(decoding: name, as: UTF8.self)),
      value: String(decoding: value, as: UTF8.self))
  }

  private static func version(_ text: ArraySlice<UInt8>) throws(HTTPRequestError) -> HTTPVersion {
    let characters = Array(text)
    guard characters.count == 8, characters.starts(with: "HTTP/".utf8), characters[5].isASCIIDigit,
      characters[6] == UInt8(ascii: "."), characters[7].isASCIIDigit
    else { throw HTTPRequestError(.badRequest, "expected a version at the end of the first line, found none") }
    guard characters[5] == UInt8(ascii: "1") else {
      throw HTTPRequestError(.versionNotSupported, "expected HTTP/1.1, found another major version")
    }
    return characters[7] == UInt8(ascii: "0") ? .http10 : .http11
  }

  private static func method(_ text: ArraySlice<UInt8>) throws(HTTPRequestError) -> HTTPMethod {
    // No registered method is as long.
    guard text.count <= 32 else { throw HTTPRequestError(.notImplemented, "expected a method, found a long word") }
    guard let method = HTTPMethod(String(decoding: text, as: UTF8.self)) else {
      throw HTTPRequestError(.badRequest, "expected a method, found a character that is in none")
    }
    guard method != .connect else { throw HTTPRequestError(.notImplemented, "expected no tunnel, found CONNECT") }
    return method
  }

  private static func target(_ text: ArraySlice<UInt8>, for method: HTTPMethod) throws(HTTPRequestError) -> String {
    guard text.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw HTTPRequestError(.badRequest, "expected a target, found a character that is in none")
    }
    let target = String(decoding: text, as: UTF8.self)
    if text.first == UInt8(ascii: "/") || method == .options && target == "*" { return target }
    guard let authority = RequestTarget.authority(of: target[...]), HTTPHost(String(authority)) != nil else {
      throw HTTPRequestError(.badRequest, "expected a path, or \"http://\" and a host, found neither")
    }
    return target
  }
}

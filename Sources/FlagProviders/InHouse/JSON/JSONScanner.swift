/// Moves over JSON text without making values of it, and refuses whatever RFC 8259 does.
///
/// It finds where values begin and end, so that each can be parsed on its own, and where a text is broken. It does
/// not recurse: nesting costs it no stack.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The byte at the scanner's place, or nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }
}

extension JSONScanner {
  /// Skips white space.
  mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isJSONSpace { offset += 1 }
  }

  /// Skips one byte if it is the next one.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  /// Skips a value, the space before it included, and returns how many levels it nests.
  mutating func skipValue() throws(JSONError) -> Int {
    var closers: [UInt8] = []
    var depth = 0
    while true {
      if let closer = try skipLeafOrOpening() {
        closers.append(closer)
        depth = max(depth, closers.count)
      } else if try !skipToNextElement(in: &closers) {
        return depth
      }
    }
  }

  /// Skips to the end of the text, where only white space may stand.
  mutating func skipEnd() throws(JSONError) {
    skipSpace()
    guard next == nil else { throw error(expected: "the end of the document") }
  }

  /// Skips a string and returns the place of its quotes and of what is between.
  mutating func skipString(as name: String = "a string") throws(JSONError) -> Range<Int> {
    let start = offset
    guard skip(UInt8(ascii: "\"")) else { throw error(expected: name) }
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error(expected: "a string without control characters") }
      offset += 1
      if byte == UInt8(ascii: "\\") { try skipEscape() }
    }
    guard skip(UInt8(ascii: "\"")) else { throw error(expected: "a quotation mark at the end of the string") }
    return start..<offset
  }

  /// Returns an error at the scanner's place.
  func error(expected: String) -> JSONError {
    JSONError(offset: offset, expected: expected, found: found)
  }
}

extension JSONScanner {
  /// Skips a value without parts, or the beginning of one with parts, and then returns the byte that ends it.
  private mutating func skipLeafOrOpening() throws(JSONError) -> UInt8? {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"):
      offset += 1
      skipSpace()
      if skip(UInt8(ascii: "}")) { return nil }
      try skipName()
      return UInt8(ascii: "}")
    case UInt8(ascii: "["):
      offset += 1
      skipSpace()
      return skip(UInt8(ascii: "]")) ? nil : UInt8(ascii: "]")
    case UInt8(ascii: "\""): _ = try skipString()
    case UInt8(ascii: "t"): try skipWord("true")
    case UInt8(ascii: "f"): try skipWord("false")
    case UInt8(ascii: "n"): try skipWord("null")
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: try skipNumber()
    default: throw error(expected: "a value")
    }
    return nil
  }

  /// Skips what follows a value, up to where the next one begins; returns false when the outermost one is complete.
  private mutating func skipToNextElement(in closers: inout [UInt8]) throws(JSONError) -> Bool {
    while let closer = closers.last {
      skipSpace()
      if skip(UInt8(ascii: ",")) {
        if closer == UInt8(ascii: "}") { try skipName() }
        return true
      }
      guard skip(closer) else { throw error(expected: "\",\" or \"\(Character(Unicode.Scalar(closer)))\"") }
      closers.removeLast()
    }
    return false
  }

  private mutating func skipName() throws(JSONError) {
    skipSpace()
    _ = try skipString(as: "a name in quotation marks")
    skipSpace()
    guard skip(UInt8(ascii: ":")) else { throw error(expected: "\":\"") }
  }

  private mutating func skipWord(_ word: String) throws(JSONError) {
    guard bytes[offset...].starts(with: word.utf8) else { throw error(expected: word) }
    offset += word.utf8.count
  }

  private mutating func skipNumber() throws(JSONError) {
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try skipDigits() }
    if skip(UInt8(ascii: ".")) { try skipDigits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(JSONError) {
    guard let first = next, first.isDigit else { throw error(expected: "a digit") }
    while let byte = next, byte.isDigit { offset += 1 }
  }

  private mutating func skipEscape() throws(JSONError) {
    guard skip(UInt8(ascii: "u")) else {
      guard let byte = next, #""\/bfnrt"#.utf8.contains(byte) else { throw error(expected: "an escaped character") }
      return offset += 1
    }
    for _ in 0..<4 {
      guard let byte = next, byte.isHexDigit else { throw error(expected: "a hexadecimal digit") }
      offset += 1
    }
  }

  private var found: String {
    guard let next else { return "the end of the document" }
    // The longest character has four bytes.
    let character = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    return next < 0x20 ? "control character \(next)" : "\"\(character.map(String.init) ?? "")\""
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }

  fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

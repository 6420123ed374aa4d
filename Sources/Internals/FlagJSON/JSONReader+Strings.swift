import FlagDomain

extension JSONReader {
  /// The content of a string, between its quotation marks.
  struct StringContent {
    let range: Range<Int>
    let hasEscapes: Bool
    /// Whether all of it is ASCII, without escapes.
    var isPlain = false
  }

  /// Skips a string value; while the builder is active, builds it.
  @inline(__always)
  mutating func passStringValue() throws(JSONError) {
    let content = try passString()
    isBeforeValue = false
    guard builder.isMaking else { return }
    do { builder.values.append(.string(try string(content))) } catch { builder.fail(with: error) }
  }

  /// Skips the name of a member and the colon after it; while the builder is active, builds the name.
  @inline(__always)
  mutating func passMemberName() throws(JSONError) {
    let start = offset
    let name = try passName()
    guard builder.isMaking else { return }
    do {
      builder.names.append((try string(name), start))
    } catch {
      builder.fail(with: error)
    }
  }

  /// Skips the name of a member and the colon after it.
  @inline(__always)
  mutating func passName() throws(JSONError) -> StringContent {
    let start = offset
    let name = try passString()
    if !levels.isEmpty { levels[levels.count - 1] = .object(start) }
    skipSpace()
    guard text.byte(at: offset) == UInt8(ascii: ":") else { throw error(expected: "\":\"") }
    offset += 1
    skipSpace()
    isBeforeValue = true
    return name
  }

  @inline(__always)
  private mutating func passString() throws(JSONError) -> StringContent {
    let start = offset + 1
    let end = text.plainEnd(from: start)
    if text.byte(at: end) == UInt8(ascii: "\"") {
      offset = end + 1
      return StringContent(range: start..<end, hasEscapes: false, isPlain: true)
    }
    return try passString(from: start, plainTo: end)
  }

  /// Skips a string that is not plain ASCII, from its first character that is not.
  private mutating func passString(from start: Int, plainTo end: Int) throws(JSONError) -> StringContent {
    offset = end
    var hasEscapes = false
    while true {
      switch text.byte(at: offset) {
      case UInt8(ascii: "\""):
        offset += 1
        return StringContent(range: start..<offset - 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try passEscape()
      case 0x80...:
        let length = text.characterLength(at: offset)
        guard length > 0 else { throw error(expected: "UTF-8") }
        offset += length
      case 0x20...: offset = text.plainEnd(from: offset)
      default:
        throw error(
          expected: offset < text.count
            ? "a string without control characters" : "a quotation mark at the end of the string")
      }
    }
  }

  private mutating func passEscape() throws(JSONError) {
    offset += 1
    switch text.byte(at: offset) {
    case UInt8(ascii: "u"):
      offset += 1
      for _ in 0..<4 {
        guard text.byte(at: offset).hexDigit != nil else { throw error(expected: "a hexadecimal digit") }
        offset += 1
      }
    case let byte where byte.escaped != nil: offset += 1
    default: throw error(expected: "an escaped character")
    }
  }

  /// Returns the characters of a string that was skipped.
  ///
  /// - Throws: An error with the code `range` if the string has an unpaired surrogate, or more consecutive combining
  ///   marks than the limit.
  @inline(__always)
  mutating func string(_ content: StringContent) throws(JSONError) -> String {
    content.isPlain ? strings.string(in: content.range, of: text) : try unusualString(content)
  }

  private mutating func unusualString(_ content: StringContent) throws(JSONError) -> String {
    let string = content.hasEscapes ? try unescaped(content.range) : strings.string(in: content.range, of: text)
    guard string.hasMoreMarks(than: Self.maximumMarks) else { return string }
    throw JSONError(
      code: .range, offset: content.range.lowerBound, path: path,
      expected: "at most \(Self.maximumMarks) combining marks in a row", found: "more")
  }

  /// The maximum number of consecutive combining marks in a string.
  ///
  /// Swift sorts them when it compares or hashes strings, in time that grows with the square of their number. No
  /// language has a tenth as many: the stream-safe format of Unicode (UAX #15, section 13) has 30.
  private static let maximumMarks = 256

  private mutating func unescaped(_ range: Range<Int>) throws(JSONError) -> String {
    let (string, halfPair) = text.unescaped(range)
    guard let halfPair else { return string }
    throw JSONError(
      code: .range, offset: halfPair, path: path, expected: "both halves of a surrogate pair",
      found: "\(text.string(in: halfPair..<halfPair + 6)) alone")
  }

  /// Returns the name whose quotation mark is at an offset, and which was already skipped.
  func name(at offset: Int) -> String {
    var end = offset + 1
    while end < text.count, text.byte(at: end) != UInt8(ascii: "\"") {
      end += text.byte(at: end) == UInt8(ascii: "\\") ? 2 : 1
    }
    let range = offset + 1..<min(end, text.count)
    let (string, halfPair) = text.unescaped(range)
    return halfPair == nil ? string : text.string(in: range)  // as it is in the text
  }
}

extension String {
  /// Returns whether more combining marks than the limit follow each other.
  fileprivate func hasMoreMarks(than limit: Int) -> Bool {
    guard utf8.count > 2 * limit else { return false }  // each has two bytes or more
    var count = 0
    for scalar in unicodeScalars {
      // No combining marks exist below U+0300.
      count = scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
      if count > limit { return true }
    }
    return false
  }
}

extension JSONText {
  /// Returns the characters of a string's range, unescaped, up to an unpaired surrogate, and the offset of that.
  ///
  /// The escapes must have been checked.
  fileprivate func unescaped(_ range: Range<Int>) -> (string: String, halfPair: Int?) {
    var characters: [UInt8] = []
    characters.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let plain = offset
      while offset < range.upperBound, byte(at: offset) != UInt8(ascii: "\\") { offset += 1 }
      append(plain..<offset, to: &characters)
      guard offset < range.upperBound else { break }
      if let byte = byte(at: offset + 1).escaped {
        characters.append(byte)
        offset += 2
      } else if let scalar = escapedScalar(at: &offset) {
        characters.append(contentsOf: scalar.utf8)
      } else {
        return (String(decoding: characters, as: UTF8.self), offset)
      }
    }
    return (String(decoding: characters, as: UTF8.self), nil)
  }

  /// Returns the character that one or two escaped numbers denote, and moves past them; nil for an unpaired surrogate.
  private func escapedScalar(at offset: inout Int) -> Unicode.Scalar? {
    let (first, second) = (escapedNumber(at: offset), escapedNumber(at: offset + 6))
    if let scalar = Unicode.Scalar(first) {
      offset += 6
      return scalar
    }
    guard first < 0xdc00, 0xdc00...0xdfff ~= second else { return nil }
    offset += 12
    return Unicode.Scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
  }

  /// Returns the number that `\u` and four hexadecimal digits escape at an offset; zero if there is no such escape.
  private func escapedNumber(at offset: Int) -> UInt32 {
    guard byte(at: offset) == UInt8(ascii: "\\"), byte(at: offset + 1) == UInt8(ascii: "u") else { return 0 }
    return (2..<6).reduce(0) { $0 << 4 | UInt32(byte(at: offset + $1).hexDigit ?? 0) }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; nil for anything else.
  fileprivate var hexDigit: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let letter = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) ? letter - UInt8(ascii: "a") + 10 : nil
  }

  /// The character that a backslash and this byte denote; nil if they are not an escape of one character.
  fileprivate var escaped: UInt8? {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}

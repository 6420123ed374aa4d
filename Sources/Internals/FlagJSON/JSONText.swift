import FlagDomain

/// The bytes that a reader parses, in memory that it does not own.
///
/// The pointer is safe to use, because it does not outlive the memory and never leads out of it:
/// - `withText(of:_:)` is the only place that creates a text, while it has borrowed the memory. A text does not escape
///   that call: a reader cannot be copied, is lent to the caller's closure, and is destroyed when that returns.
/// - Nothing is read at an offset that was not compared with `count`: by `byte(at:)` itself, or by the caller if
///   another method requires it. No offset is negative: a reader begins at zero, and moves forward or back to a mark.
///   Debug builds check both at each access; the tests change texts in 25,000 ways to provoke them.
@safe
struct JSONText {
  private let bytes: UnsafeRawBufferPointer
  let count: Int

  private init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
    count = bytes.count
  }

  /// Passes the bytes of a collection to a closure; a collection that is not contiguous is copied first.
  ///
  /// This is not a `Span`, because that of an array needs macOS 26 and iOS 26, and every other one needs a library that
  /// an app for older systems would have to include.
  static func withText<Result, Failure: Error>(
    of bytes: some Collection<UInt8>, _ body: (JSONText) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The standard library's closure does not support typed errors.
    func attempt(_ bytes: UnsafeBufferPointer<UInt8>) -> Swift.Result<Result, Failure> {
      Swift.Result { () throws(Failure) in try unsafe body(JSONText(UnsafeRawBufferPointer(bytes))) }
    }
    if let result = bytes.withContiguousStorageIfAvailable(attempt) { return try result.get() }
    return try unsafe ContiguousArray(bytes).withUnsafeBufferPointer(attempt).get()
  }

  /// Returns the byte at an offset, or zero at the end, which never occurs in JSON text.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { unsafe offset < count ? bytes[offset] : 0 }

  /// Returns the eight bytes from an offset, the first one lowest; there must be as many.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Appends the bytes of a range, which must be inside the text, to others.
  func append(_ range: Range<Int>, to others: inout [UInt8]) { unsafe others.append(contentsOf: bytes[range]) }

  /// Returns the characters of a range, which must be inside the text and hold UTF-8.
  @inline(__always)
  func string(in range: Range<Int>) -> String {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).withMemoryRebound(to: UInt8.self) {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }

  /// The offset of the first character, after a byte order mark if there is one.
  var start: Int { byte(at: 0) == 0xef && byte(at: 1) == 0xbb && byte(at: 2) == 0xbf ? 3 : 0 }

  /// Returns the number of bytes of the character at an offset, or zero if there is no valid one.
  ///
  /// Table 3-7 of the Unicode standard defines validity: no surrogates, and no overlong forms.
  func characterLength(at offset: Int) -> Int {
    func continues(_ distance: Int, _ range: ClosedRange<UInt8> = 0x80...0xbf) -> Bool {
      range.contains(byte(at: offset + distance))
    }
    switch byte(at: offset) {
    case 0x00..<0x80: return offset < count ? 1 : 0
    case 0xc2...0xdf: return continues(1) ? 2 : 0
    case 0xe0: return continues(1, 0xa0...0xbf) && continues(2) ? 3 : 0
    case 0xed: return continues(1, 0x80...0x9f) && continues(2) ? 3 : 0
    case 0xe1...0xef: return continues(1) && continues(2) ? 3 : 0
    case 0xf0: return continues(1, 0x90...0xbf) && continues(2) && continues(3) ? 4 : 0
    case 0xf1...0xf3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    case 0xf4: return continues(1, 0x80...0x8f) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }

  /// Returns the offset of the first byte from an offset that is not a plain character of a string: the end, a
  /// quotation mark, a backslash, a control character, or a byte beyond ASCII.
  ///
  /// Eight bytes are examined in one step. In each of them the highest bit of `found` marks a match. The subtraction
  /// borrows only from the byte after a match, so the first match is always right.
  @inline(__always)
  func plainEnd(from offset: Int) -> Int {
    var offset = offset
    while offset + 8 <= count {
      let word = word(at: offset)
      let quotes = word ^ 0x2222_2222_2222_2222
      let backslashes = word ^ 0x5c5c_5c5c_5c5c_5c5c
      let controls = (word &- 0x2020_2020_2020_2020) & ~word
      let found =
        ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
          | controls | word) & 0x8080_8080_8080_8080
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count, case let byte = byte(at: offset), byte != 0x22, byte != 0x5c, byte >= 0x20, byte < 0x80 {
      offset += 1
    }
    return offset
  }

  /// Returns the finding at an offset, for error messages: a name, a numeral, a character, the end.
  func found(at offset: Int) -> String {
    guard offset < count else { return "the end of the document" }
    let length = characterLength(at: offset)
    switch byte(at: offset) {
    case let byte where length == 0: return "the byte 0x\(String(byte, radix: 16))"
    case let byte where byte < 0x20: return "control character \(byte)"
    case let byte where byte.isWordCharacter:
      var end = offset
      while end <= offset + 100, self.byte(at: end).isWordCharacter { end += 1 }
      return "\"\(string(in: offset..<end).excerpt)\""
    default: return "\"\(string(in: offset..<offset + length))\""
    }
  }
}

extension UInt8 {
  /// It runs for each byte of a version, from other modules.
  @inlinable package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte may be part of a word or a numeral.
  fileprivate var isWordCharacter: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || "+-._".utf8.contains(self)
  }
}

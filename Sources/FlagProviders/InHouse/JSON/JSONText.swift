/// The text around a JSON value: its encoding, and the mark that may stand before it.
enum JSONText {
  /// The byte order mark, in UTF-8.
  private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Returns the place where the value may begin.
  static func start(of bytes: [UInt8]) -> Int { bytes.starts(with: mark) ? mark.count : 0 }

  /// Throws where bytes are not UTF-8.
  static func checkEncoding(of bytes: [UInt8]) throws(JSONError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    let offset = firstInvalidByte(of: bytes)
    let found = offset < bytes.count ? "the byte 0x" + String(bytes[offset], radix: 16) : "the end of the document"
    throw JSONError(offset: offset, expected: "UTF-8", found: found)
  }

  private static func firstInvalidByte(of bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
    return offset
  }
}

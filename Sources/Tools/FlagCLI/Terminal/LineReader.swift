import Foundation

/// A buffer that splits chunks of input into lines.
struct LineReader {
  /// The maximum length of a line, in bytes.
  static let maximumLength = 1 << 22

  private var bytes: [UInt8] = []
  private var start = 0
  /// The offset up to which no end of the next line was found.
  private var searched = 0

  mutating func append(_ piece: Data) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += piece
  }

  mutating func nextLine() throws(LineTooLong) -> [UInt8]? {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? bytes.count
    guard searched - start <= Self.maximumLength else { throw LineTooLong(limit: Self.maximumLength) }
    guard let end else { return nil }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(bytes[start..<end])
  }

  /// Returns the last line, if no line ending follows it.
  mutating func lastLine() -> [UInt8]? {
    defer { self = LineReader() }
    return start < bytes.count ? Array(bytes[start...]) : nil
  }
}

struct LineTooLong: Error {
  let limit: Int
}

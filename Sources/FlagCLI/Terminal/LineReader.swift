import Foundation

/// Cuts what arrives in pieces into lines.
struct LineReader {
  /// The longest line, in bytes.
  static let maximumLength = 1 << 22

  /// What has arrived and is not cut yet.
  private var bytes: [UInt8] = []
  /// Where the next line begins.
  private var start = 0
  /// Up to where no end of the next line was found.
  private var searched = 0

  /// Takes up a piece.
  mutating func append(_ piece: Data) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += piece
  }

  /// Returns the next line that is complete, or nil.
  mutating func nextLine() throws(LineTooLong) -> [UInt8]? {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? bytes.count
    guard searched - start <= Self.maximumLength else { throw LineTooLong(limit: Self.maximumLength) }
    guard let end else { return nil }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(bytes[start..<end])
  }

  /// Returns the last line, where no end of line follows it.
  mutating func lastLine() -> [UInt8]? {
    defer { self = LineReader() }
    return start < bytes.count ? Array(bytes[start...]) : nil
  }
}

/// A line that is longer than lines may be.
struct LineTooLong: Error {
  /// The most bytes of a line.
  let limit: Int
}

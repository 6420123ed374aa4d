import FlagFoundation

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

extension Terminal {
  /// Passes the nonblank lines of a file, or of standard input for a dash, to a closure.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - body: The closure, which gets a line without its ending, and its number.
  ///   - pause: A closure that is called whenever the lines that have arrived were passed.
  ///   - tooLong: Returns the error for a line that is too long.
  /// - Throws: The errors of the closures, or one for a file that cannot be read.
  func forEachLine(
    of path: String, _ body: (_ line: [UInt8], _ number: Int) throws(ToolError) -> Void,
    pause: () throws(ToolError) -> Void = {}, tooLong: (_ number: Int, LineTooLong) -> ToolError
  ) throws(ToolError) {
    let nextPiece = try pieces(of: path == "-" ? nil : path)
    var lines = LineReader()
    var number = 0
    func pass(_ line: [UInt8]) throws(ToolError) {
      number += 1
      if line.contains(where: { $0 > 0x20 }) { try body(line, number) }
    }
    func next() throws(ToolError) -> [UInt8]? {
      do throws(LineTooLong) { return try lines.nextLine() } catch {
        try pause()
        throw tooLong(number + 1, error)
      }
    }
    while let piece = try nextPiece() {
      lines.append(piece)
      while let line = try next() { try pass(line) }
      try pause()
    }
    if let line = lines.lastLine() { try pass(line) }
    try pause()
  }

  /// Passes the nonblank lines of a file of data, or of standard input for a dash, to a closure.
  func forEachLine(
    of path: String, _ body: (_ line: [UInt8], _ number: Int) throws(ToolError) -> Void
  ) throws(ToolError) {
    try forEachLine(of: path, body) { number, error in
      .line(number, of: path, "expected at most \(error.limit) bytes, found more")
    }
  }
}

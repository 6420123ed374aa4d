import Foundation

/// Cuts what arrives in pieces into lines.
struct LineReader {
  /// The beginning of a line whose end has not arrived.
  private var rest = Data()

  /// Returns the lines that a piece completes.
  mutating func lines(completedBy piece: Data) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var remaining = piece[...]
    while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append([UInt8](rest) + remaining[..<end])
      rest = Data()
      remaining = remaining[(end + 1)...]
    }
    rest.append(remaining)
    return lines
  }

  /// Returns the last line, where no end of line follows it.
  mutating func lastLine() -> [UInt8]? {
    defer { rest = Data() }
    return rest.isEmpty ? nil : [UInt8](rest)
  }
}

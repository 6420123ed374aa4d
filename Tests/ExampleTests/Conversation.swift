import Foundation
import TestSupport

/// A running example that is talked to line by line.
final class Conversation {
  private let process: ChildProcess
  private var hasEnded = false
  private let input = ChildProcess.pipe()
  private let output = ChildProcess.pipe()
  private var rest = Data()

  init(with example: Example, _ arguments: String...) throws {
    process = try ChildProcess(
      try example.executable, arguments, input: input.fileHandleForReading.fileDescriptor,
      output: output.fileHandleForWriting.fileDescriptor)
    // These ends are the example's.
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
  }

  deinit { if !hasEnded { kill() } }
}

extension Conversation {
  func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  /// Returns the next line that the example prints, waiting for it; nil at its end.
  func nextLine() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      rest += more
    }
  }

  /// Reads on to a line, and returns it with all before it.
  func lines(upTo isLast: (String) -> Bool) -> [String] {
    var lines: [String] = []
    while let line = nextLine() {
      lines.append(line)
      if isLast(line) { break }
    }
    return lines
  }

  /// Ends the example at once, wherever it is.
  func kill() {
    Foundation.kill(process.id, SIGKILL)
    _ = process.wait()
    hasEnded = true
  }

  /// Waits for the example to end by itself, and returns its status.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    hasEnded = true
    return process.wait()
  }
}

import FlagCLI
import Foundation
import Synchronization

/// The output and the exit code of the tool.
struct Transcript: Equatable {
  var output = ""
  var errors = ""
  var exitCode: Int32 = 0
}

extension Transcript {
  /// Runs the tool with files that are held in memory.
  init(_ words: String..., files: [String: String] = [:], input: [String] = []) {
    self.init(words, files: files, input: input)
  }

  /// Runs the tool with files that are held in memory.
  ///
  /// - Parameters:
  ///   - words: The command line.
  ///   - files: The files that there are.
  ///   - input: What comes by standard input, in pieces.
  ///   - prepare: Gives the terminal what it has beside files and streams.
  init(
    _ words: [String], files: [String: String] = [:], input: [String] = [],
    prepare: (inout Terminal) -> Void = { _ in }
  ) {
    let record = Mutex(Transcript())
    var terminal = Terminal(
      file: { path in Data(try Self.file(path, in: files).utf8) },
      open: { path in
        var pieces = try (path.map { [try Self.file($0, in: files)] } ?? input).makeIterator()
        return { pieces.next().map { Data($0.utf8) } }
      },
      write: { text in record.withLock { $0.output += text } },
      writeError: { text in record.withLock { $0.errors += text } },
      now: { 1_800_000_000 })
    prepare(&terminal)
    let exitCode = FlagTool(terminal: terminal).run(words)
    self = record.withLock { $0 }
    self.exitCode = exitCode
  }

  private static func file(_ path: String, in files: [String: String]) throws -> String {
    guard let text = files[path] else { throw NoSuchFile() }
    return text
  }

  private struct NoSuchFile: LocalizedError {
    let errorDescription: String? = "no such file"
  }
}

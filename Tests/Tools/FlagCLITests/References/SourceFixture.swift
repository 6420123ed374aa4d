import FlagCLI
import Foundation
import Synchronization
import TestSupport
import Testing

/// A folder of source, and what is said of it.
struct SourceFixture {
  private let folder: URL

  /// Creates the folder.
  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "references-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder.appending(path: "Sources"), withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: "Sources/\(name)")) }
  }

  var source: String { folder.appending(path: "Sources").path }

  func remove() {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
  }

  /// Runs the tool with the folder's files, and others that are held in memory.
  func run(_ words: [String], files: [String: String] = [:], reading folders: [SourceFixture]? = nil) -> Transcript {
    let sources = (folders ?? [self]).map(\.source)
    let record = Mutex(Transcript())
    let terminal = Terminal(
      file: { path in
        if let text = files[path] { return Data(text.utf8) }
        guard sources.contains(where: path.hasPrefix) else { throw NoSuchFile() }
        return try Data(contentsOf: URL(filePath: path))
      },
      open: { _ in throw NoSuchFile() },
      write: { text in record.withLock { $0.output += text } },
      writeError: { text in record.withLock { $0.errors += text } },
      now: { 1_800_000_000 })
    let exitCode = FlagTool(terminal: terminal).run(words)
    var transcript = record.withLock { $0 }
    transcript.exitCode = exitCode
    return transcript
  }

  private struct NoSuchFile: LocalizedError {
    let errorDescription: String? = "no such file"
  }
}

import FlagCLI
import Foundation
import Synchronization
import TestSupport
import Testing

/// A folder of source, which is compiled beside the tests, and what is said of it.
struct SourceFixture {
  private let folder: URL

  /// Creates the folder.
  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "references-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder.appending(path: "Sources"), withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  var source: String { folder.appending(path: "Sources").path }
  var store: String { folder.appending(path: "store").path }

  func remove() {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
  }

  /// Writes a file, as if so many seconds later.
  func write(_ name: String, _ text: String, modified seconds: Double = 0) throws {
    let file = folder.appending(path: "Sources/\(name)")
    try Data(text.utf8).write(to: file)
    let time = Date(timeIntervalSinceNow: seconds)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
  }

  /// Compiles the files, and writes the index.
  func compile() throws {
    let compiler = try #require(BuildFolder.compiler)
    let (modules, plugin) = (try #require(BuildFolder.modules), try #require(BuildFolder.plugin))
    let files = try FileManager.default.contentsOfDirectory(atPath: source).sorted().map { "\(source)/\($0)" }
    let run = try ChildProcess.run(
      compiler,
      [
        "-emit-module", "-module-name", "Program", "-swift-version", "6", "-parse-as-library",
        "-o", folder.appending(path: "Program.swiftmodule").path, "-index-store-path", store,
        "-index-ignore-system-modules",
        "-I", modules.path, "-load-plugin-executable", "\(plugin.path)#FlagMacrosPlugin",
      ] + files)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
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

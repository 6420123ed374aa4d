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
    let build = try #require(Build.found)
    let files = try FileManager.default.contentsOfDirectory(atPath: source).sorted().map { "\(source)/\($0)" }
    let run = try ChildProcess.run(
      URL(filePath: "/usr/bin/env"),
      [
        "swiftc", "-emit-module", "-module-name", "Program", "-swift-version", "6", "-parse-as-library",
        "-o", folder.appending(path: "Program.swiftmodule").path, "-index-store-path", store,
        "-I", build.modules.path, "-load-plugin-executable", "\(build.plugin.path)#FlagMacrosPlugin",
      ] + files)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// Runs the tool with the folder's files, and others that are held in memory.
  func run(_ words: [String], files: [String: String] = [:]) -> Transcript {
    let record = Mutex(Transcript())
    let terminal = Terminal(
      file: { path in
        if let text = files[path] { return Data(text.utf8) }
        guard path.hasPrefix(source) else { throw NoSuchFile() }
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

/// The modules and the plugin that were built along with the tests, and a compiler with a library that reads its index.
struct Build {
  let modules: URL
  let plugin: URL

  /// Whether there is all of it; where not, tests of the index are skipped.
  static var isThere: Bool { found != nil && hasLibrary }

  static let found: Build? = {
    let folders = sequence(first: URL(filePath: CommandLine.arguments[0])) { $0.deletingLastPathComponent() }
    for folder in folders.prefix(while: { $0.path != "/" }) {
      func first(_ paths: [String]) -> URL? {
        paths.map { folder.appending(path: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }
      }
      guard let plugin = first(["FlagMacrosPlugin-tool", "FlagMacrosPlugin"]),
        let module = first(["Modules-tool/FlagMacros.swiftmodule", "Modules/FlagMacros.swiftmodule"])
      else { continue }
      return Build(modules: module.deletingLastPathComponent(), plugin: plugin)
    }
    return nil
  }()

  private static let hasLibrary: Bool = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains { folder in
      let swift = URL(filePath: "\(folder)/swift").resolvingSymlinksInPath()
      let library = swift.deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "lib/libIndexStore.so")
      return FileManager.default.fileExists(atPath: library.path)
    }
  }()
}

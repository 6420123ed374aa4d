import Foundation
import TestSupport
import Testing

/// An example as it was built beside the tests.
struct Example {
  let name: String

  /// The output of a run, and its exit code.
  struct Run: Equatable {
    var output: String
    var errors = ""
    var status: Int32 = 0
  }

  /// Runs the example to its end.
  func run(_ arguments: String..., input: String = "") async throws -> Run {
    try await onThread { try launch(arguments, input: input) }
  }

  private func launch(_ arguments: [String], input: String) throws -> Run {
    let run = try ChildProcess.run(try executable, arguments, input: input)
    return Run(output: run.output, errors: run.errors, status: run.status)
  }

  var executable: URL { get throws { try BuildFolder.product(name) } }
}

/// A file beside the tests with what an example prints.
struct Transcript {
  let name: String

  private var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts/\(name).txt")
  }

  /// The text; with `RECORD_TRANSCRIPTS` set, the file becomes what was printed.
  func text(recording printed: String) throws -> String {
    if ProcessInfo.processInfo.environment["RECORD_TRANSCRIPTS"] != nil {
      try printed.write(to: file, atomically: true, encoding: .utf8)
    }
    return try String(contentsOf: file, encoding: .utf8)
  }
}

/// A folder that is gone when the test is over.
struct TemporaryFolder: ~Copyable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "example-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Puts a file into the folder, complete from the beginning, so that its followers never see a part of it.
  func file(_ name: String, _ content: String) throws -> String {
    let file = url.appending(path: name)
    try Data(content.utf8).write(to: file, options: .atomic)
    return file.path
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error) }
  }
}

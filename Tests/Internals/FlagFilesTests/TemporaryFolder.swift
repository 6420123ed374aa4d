import Foundation
import TestSupport
import Testing

@testable import FlagFiles

/// A folder of a test's own, removed when the test is done with it.
final class TemporaryFolder: Sendable {
  /// The path, free of links: on macOS the system's folder is behind one.
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flag-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = try SharedFile(folder.appending(path: "x")).target().replacing(/\/x$/, with: "")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension TemporaryFolder {
  /// The names in the folder, sorted; those that begin with a dot, too.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

  func url(_ name: String) -> URL { URL(filePath: "\(path)/\(name)") }

  @discardableResult
  func write(_ text: String, to name: String) throws -> URL {
    try Data(text.utf8).write(to: url(name))
    return url(name)
  }

  func text(_ name: String) throws -> String { String(decoding: try Data(contentsOf: url(name)), as: UTF8.self) }

  func status(_ name: String) throws -> stat {
    var status = stat()
    try FileError.check { lstat(url(name).path, &status) }
    return status
  }

  /// Runs a script in the folder, in a process of its own.
  func run(_ script: String) async throws {
    let status = try await onThread { [self] in try start(script).wait() }
    try #require(status == 0, "\(script)")
  }

  /// Begins to run a script in the folder.
  @discardableResult
  func start(_ script: String) throws -> ChildProcess {
    try ChildProcess(URL(filePath: "/bin/sh"), ["-ec", script], in: url(""), output: STDOUT_FILENO)
  }
}

package import Foundation

/// A folder of a test's own, removed when the test is done with it.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Puts a file into the folder, complete from the beginning, so that its followers never see a part of it.
  package func file(_ name: String, _ text: String) throws -> URL {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file, options: .atomic)
    return file
  }
}

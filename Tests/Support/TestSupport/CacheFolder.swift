package import Foundation
import Testing

/// A folder that a cache makes, removed when the test is over.
package final class CacheFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appending(path: "flag-remote-\(UUID().uuidString)")

  package init() {}

  package var files: [URL] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
    }
  }

  /// Waits until an answer is cached, shortly after the provider's notification.
  package func waitForFiles() async throws {
    try await waitUntil { try FileManager.default.fileExists(atPath: url.path) && !files.isEmpty }
  }

  /// Removes the folder, into which a provider that is ending may still write: then it is removed once more.
  deinit {
    var failure: (any Error)?
    for _ in 0..<100 where FileManager.default.fileExists(atPath: url.path) {
      do { try FileManager.default.removeItem(at: url) } catch { failure = error }
    }
    if let failure, FileManager.default.fileExists(atPath: url.path) { Issue.record(failure) }
  }
}

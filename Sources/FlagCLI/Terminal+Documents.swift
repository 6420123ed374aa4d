import FlagProviders
import Foundation

extension Terminal {
  /// Returns the contents of a file, or writes why there are none.
  func contents(of path: String) -> Data? {
    do {
      return try file(path)
    } catch {
      writeError("flagctl: \(path): cannot be read: \(error.localizedDescription)\n")
      return nil
    }
  }

  /// Returns the merged documents, or writes what is wrong with them.
  func document(_ source: Command.Source) -> FlagDocument? {
    var merged: FlagDocument?
    for path in source.files {
      guard let next = document(at: path, bucketing: source.bucketing) else { return nil }
      merged = merged?.merging(next) ?? next
    }
    return merged
  }

  /// Returns a document; what is wrong with single flags is written, and the others are served.
  func document(at path: String, bucketing: Bucketing = .v3) -> FlagDocument? {
    guard let data = contents(of: path) else { return nil }
    do {
      let document = try FlagDocument(parsing: data, bucketing: bucketing)
      report(document.findings, in: path)
      return document
    } catch {
      report(error.findings, in: path)
      return nil
    }
  }

  private func report(_ findings: [Finding], in path: String) {
    for finding in findings { writeError("\(path):\(finding)\n") }
  }
}

import Foundation

/// The checkout that the tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func swiftFiles(under folder: String) throws -> [SourceFile] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }
      .map { SourceFile(path: "\(folder)/\($0)") }
  }

  static func folders(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles
    )
    .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
    .map { "\(folder)/\($0.lastPathComponent)" }
  }
}

/// A Swift file of the checkout.
struct SourceFile {
  let path: String

  var text: String {
    get throws { try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8) }
  }

  /// The modules that the file imports.
  var imports: Set<String> {
    get throws {
      let lines = try text.matches(of: /(?m)^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:\w+\s+)?(\w+)/)
      return Set(lines.map { String($0.1) })
    }
  }
}

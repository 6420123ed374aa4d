import Foundation
import RegexBuilder

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
    get throws { Self.imports(in: try text) }
  }

  /// The modules that a text imports.
  static func imports(in text: String) -> Set<String> {
    let attributes = /(?:@\w+[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?/
    let kind = /(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?/
    let lines = text.split(separator: "\n").compactMap { line in
      line.prefixMatch(
        of: Regex {
          /[ \t]*/; attributes; /import[ \t]+/; kind; Capture(/\w+/)
        })
    }
    return Set(lines.map { String($0.1) })
  }
}

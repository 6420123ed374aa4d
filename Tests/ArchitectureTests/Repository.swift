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

  /// The files of Swift and C in a folder.
  static func sourceFiles(under folder: String) throws -> [SourceFile] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { path in [".swift", ".h", ".c"].contains(where: path.hasSuffix) }
      .map { SourceFile(path: "\(folder)/\($0)") }
  }

  /// The Markdown files of the checkout.
  static func proseFiles() throws -> [String] {
    try ["README.md"]
      + ["Docs", ".github", "Sources"].flatMap { folder in
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
          .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
      }
  }

  /// The dependencies of each target in the manifest.
  static func manifestDependencies() throws -> [String: Set<String>] {
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
      .replacing(/\.byName\(name: ("\w+")/) { $0.output.1 }
    let declarations = manifest.components(separatedBy: "name: \"").dropFirst().map { $0.components(separatedBy: "\"") }
    return declarations.reduce(into: [:]) { result, declaration in
      guard let name = declaration.first else { return }
      let rest = declaration.dropFirst().joined(separator: "\"").components(separatedBy: "dependencies: [").dropFirst()
      let list = rest.first?.components(separatedBy: "]").first?.components(separatedBy: "\"") ?? []
      result[name, default: []].formUnion(list.filter { $0.first?.isLetter == true })
    }
  }

  /// Returns the rows of those tables of the guide to the architecture whose first column has a name.
  static func documentedRows(of column: String) throws -> [[String]] {
    let guide = try String(contentsOf: root.appending(path: "Docs/Architecture.md"), encoding: .utf8)
    var isInside = false
    return guide.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      if line.hasPrefix("| \(column) |") { isInside = true } else if !line.hasPrefix("|") { isInside = false }
      guard isInside, line.hasPrefix("| `") else { return nil }
      return line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The folders of targets in a folder, and in folders that have targets.
  ///
  /// A folder with neither files nor targets is returned, too.
  static func targetFolders(_ folder: String) throws -> [String] {
    let targets = try manifestDependencies().keys
    let inner = try folders(folder)
    return try inner.flatMap { path -> [String] in
      let isGroup =
        try !targets.contains(path.lastName)
        && folders(path).contains { path in
          try targets.contains(path.lastName) || folders(path).contains { targets.contains($0.lastName) }
        }
      return isGroup ? try targetFolders(path) : [path]
    }
  }

  /// Returns the path of a source that is named by its target, such as `FlagCLI/Terminal`.
  static func path(_ source: String) -> String {
    let parts = source.split(separator: "/", maxSplits: 1)
    let folder = Arrow.table.first { $0.target == parts[0] }?.folder ?? "Sources/\(parts[0])"
    return parts.count == 1 ? folder : "\(folder)/\(parts[1])"
  }

  private static func folders(_ folder: String) throws -> [String] {
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
    let lines = text.split(separator: "\n").lazy.filter { $0.contains("import") }.compactMap { line in
      line.prefixMatch(
        of: Regex {
          /[ \t]*/; attributes; /import[ \t]+/; kind; Capture(/\w+/)
        })
    }
    return Set(lines.map { String($0.1) })
  }
}

extension String {
  /// The last name of a path.
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? "" }

  /// The names that stand in back-ticks.
  var codeNames: [String] { matches(of: /`(\w+)`/).map { String($0.1) } }
}

import Foundation

/// The compiler with the modules and the plugin that were built along with the tests.
struct Compiler {
  private let plugin: URL
  private let modules: URL

  /// The compiler, or nil where `swiftc`, the plugin or the modules cannot be found.
  static let built: Compiler? = {
    let folders = sequence(first: URL(filePath: CommandLine.arguments[0])) { $0.deletingLastPathComponent() }
      .prefix { $0.path != "/" }
    return folders.lazy.compactMap(Compiler.init).first { $0.run(["--version"]) != nil }
  }()

  private init?(folder: URL) {
    func first(_ paths: [String]) -> URL? {
      paths.map { folder.appending(path: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }
    }
    guard let plugin = first(["FlagMacrosPlugin-tool", "FlagMacrosPlugin"]),
      let module = first(["Modules-tool/FlagMacros.swiftmodule", "Modules/FlagMacros.swiftmodule"])
    else { return nil }
    self.plugin = plugin
    modules = module.deletingLastPathComponent()
  }

  /// Returns what the compiler says of a program: line, column and message, in order.
  func check(_ program: String, options: [String] = []) throws -> [String] {
    let folder = URL.temporaryDirectory.appending(path: "FlagMacrosTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Program.swift")
    try Data(program.utf8).write(to: file)
    let arguments = [
      "-typecheck", "-parse-as-library", "-swift-version", "6", "-I", modules.path,
      "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
      "-load-plugin-executable", "\(plugin.path)#FlagMacrosPlugin", "-diagnostic-style", "llvm", file.path,
    ]
    let lines = (run(arguments + options) ?? "error: the compiler cannot be run").split(separator: "\n")
    return lines.filter { $0.contains(/(error|warning):/) }.map(Diagnostic.init).sorted().map(\.description)
  }

  private func run(_ arguments: [String]) -> String? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    process.standardOutput = pipe
    process.standardError = pipe
    do {
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return process.terminationStatus < 127 ? String(decoding: output, as: UTF8.self) : nil
    } catch {
      return nil
    }
  }
}

/// A line of the compiler's: where, and what.
private struct Diagnostic: Comparable, CustomStringConvertible {
  let line: Int
  let column: Int
  let message: String

  init(_ text: Substring) {
    let match = text.wholeMatch(of: /.*?([0-9]+):([0-9]+): ((?:error|warning): .*)/)
    line = match.flatMap { Int($0.1) } ?? 0
    column = match.flatMap { Int($0.2) } ?? 0
    // The compiler keeps the space after an attribute without arguments.
    message = String(match?.3 ?? text).replacing(" ')", with: "')")
  }

  var description: String { "\(line):\(column): \(message)" }

  static func < (left: Diagnostic, right: Diagnostic) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

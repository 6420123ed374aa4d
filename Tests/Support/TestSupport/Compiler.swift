import Foundation
import Testing

/// The compiler with the modules and the plugin that were built along with the tests.
package struct Compiler {
  private let swiftc: URL
  private let plugin: URL
  private let modules: URL

  /// Creates the compiler of a test that asks for it by its trait.
  package init() throws {
    swiftc = try #require(BuildFolder.compiler)
    plugin = try #require(BuildFolder.plugin)
    modules = try #require(BuildFolder.modules)
  }

  /// Returns what the compiler says of a program: line, column and message, in order.
  package func check(_ program: String, options: [String] = []) async throws -> [String] {
    let output = try await withFolder(for: program) { file in
      try await run(swiftc, ["-typecheck"] + arguments(file) + options)
    }
    let lines = output.split(separator: "\n")
    return lines.filter { $0.contains(/(error|warning):/) }.map(Diagnostic.init).sorted().map(\.description)
  }

  /// Returns the ratio of the times that the processor takes to compile two programs: the lowest of up to three, since
  /// what else runs makes either take longer.
  package func ratio(
    below bound: Double, compiling program: String, relativeTo other: String, option: String
  ) async throws -> Double {
    var lowest = Double.infinity
    for _ in 0..<3 where lowest >= bound {
      let least = try await seconds(toCompile: other, option: option)
      lowest = min(lowest, try await seconds(toCompile: program, option: option) / least)
    }
    return lowest
  }

  /// Returns how long the processor took to compile a program to an object file.
  private func seconds(toCompile program: String, option: String) async throws -> Double {
    let script = "TIMEFORMAT='seconds: %U'; time \"$@\""
    let output = try await withFolder(for: program) { file in
      let words = ["-c", script, "bash", swiftc.path, "-c", option, "-o", file.path + ".o"]
      return try await run(try InstalledProgram.require("bash"), words + arguments(file))
    }
    let lines = output.split(separator: "\n")
    guard let time = lines.last?.wholeMatch(of: /seconds: ([0-9]+)[.,]([0-9]+)/), lines.count == 1,
      let seconds = Double("\(time.1).\(time.2)")
    else { throw Failure(output: output) }
    return seconds
  }

  /// The compiler's output for a program that should have compiled.
  struct Failure: Error {
    var output: String
  }

  private func withFolder(for program: String, run body: (URL) async throws -> String) async throws -> String {
    let folder = URL.temporaryDirectory.appending(path: "Compiler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Program.swift")
    try Data(program.utf8).write(to: file)
    return try await body(file)
  }

  /// The folders of the modules in C, which modules of Swift need.
  private static let headers: [String] = {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/Internals/C").standardizedFileURL
    return ["FlagCounters", "FlagCurl", "FlagThreads"].flatMap { name in
      ["-I", sources.appending(path: "\(name)/include").path]
    }
  }()

  private func arguments(_ file: URL) -> [String] {
    Self.headers + [
      "-parse-as-library", "-swift-version", "6", "-I", modules.path,
      "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
      "-load-plugin-executable", "\(plugin.path)#FlagMacrosPlugin", "-diagnostic-style", "llvm", file.path,
    ]
  }

  /// Returns what a command prints; no thread waits for it, since other tests need theirs.
  private func run(_ program: URL, _ arguments: [String]) async throws -> String {
    try await onThread {
      let run = try ChildProcess.run(program, arguments)
      return run.output + run.errors
    }
  }
}

/// A line of the compiler's output: place and message.
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

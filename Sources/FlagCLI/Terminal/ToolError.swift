import FlagDefinitions
import FlagDomain
import Foundation

/// Why a command fails.
struct ToolError: Error {
  let exitCode: ExitCode
  /// What is written, in lines.
  let lines: [String]

  private init(_ exitCode: ExitCode, _ lines: [String]) {
    self.exitCode = exitCode
    self.lines = lines
  }

  private init(_ exitCode: ExitCode, _ message: String) { self.init(exitCode, ["flagctl: \(message)"]) }
}

/// The exit code of the tool.
enum ExitCode: Int32 {
  case success = 0
  /// The data is wrong, or cannot be read.
  case data = 1
  /// What was compared is not the same for all users.
  case changed = 2
  /// Servers do not run what they should.
  case behind = 3
  /// The command line is wrong: the system's code for that.
  case usage = 64
  /// The system does not let the tool serve, or a store gives no answer: its code for a service that is not there.
  case unavailable = 69
  /// The output cannot be written: the system's code for that.
  case output = 74
  /// Someone else was faster: the system's code for what may be tried again.
  case conflict = 75
}

extension ToolError {
  /// The command line is wrong.
  static func usage(_ message: String) -> Self { Self(.usage, message) }

  /// Data is not what a command needs.
  static func data(_ message: String) -> Self { Self(.data, message) }

  /// The system does not let the tool serve.
  static func server(_ message: String) -> Self { Self(.unavailable, message) }

  /// Someone else has published.
  static func conflict(_ messages: [String]) -> Self { Self(.conflict, messages.map { "flagctl: \($0)" }) }

  /// A flag cannot be shown or changed.
  static func flag(_ key: String, _ error: FlagError) -> Self { .data("\(key.excerpt): \(error.message)") }

  /// A line of a file is wrong.
  static func line(_ number: Int, of path: String, _ message: String) -> Self {
    Self(.data, ["\(path):\(number): \(message)"])
  }

  /// A document cannot be read as a whole.
  static func document(path: String, _ diagnostics: [DocumentDiagnostic]) -> Self {
    Self(.data, diagnostics.map { "\(path):\($0)" })
  }

  /// A store of definitions cannot be read or written, or what it has is of no use.
  static func store(_ error: DefinitionStoreError) -> Self { Self(.data, error.lines) }

  /// A store of published definitions did not do what it was asked to.
  static func published(_ error: DefinitionStoreError) -> Self {
    Self(error.code == .invalid ? .data : .unavailable, error.lines)
  }

  /// A file, or standard input where there is no path, cannot be read.
  static func input(path: String?, _ error: any Error) -> Self {
    .data("\(path ?? "standard input"): cannot be read: \(error.localizedDescription)")
  }

  /// A file cannot be written.
  static func file(path: String, _ error: any Error) -> Self {
    .data("\(path): cannot be written: \(error.localizedDescription)")
  }

  /// Standard output cannot be written.
  static func output(_ error: any Error) -> Self {
    Self(.output, "standard output: cannot be written: \(error.localizedDescription)")
  }
}

extension DefinitionStoreError {
  fileprivate var lines: [String] {
    diagnostics.isEmpty ? ["flagctl: \(self)"] : diagnostics.map { "\(store):\($0)" }
  }
}

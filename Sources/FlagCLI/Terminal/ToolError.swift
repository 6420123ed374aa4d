import FlagDefinitions
import FlagDomain
import Foundation

/// Why a command fails.
enum ToolError: Error {
  /// The command line is wrong.
  case usage(String)
  /// A file, or standard input where there is no path, cannot be read.
  case input(path: String?, any Error)
  /// A document cannot be read as a whole.
  case document(path: String, [DocumentDiagnostic])
  /// The context is invalid.
  case context(String)
  /// A line of the cases is longer than lines may be.
  case line(Int, limit: Int)
  /// A line of events or aggregates is wrong.
  case event(path: String, line: Int, String)
  /// Data that can be read is not what a command needs.
  case data(String)
  /// Standard output cannot be written.
  case output(any Error)
  /// A store of definitions cannot be read, or what it has cannot be served.
  case store(DefinitionStoreError)
  /// A store of published definitions did not do what it was asked to.
  case published(DefinitionStoreError)
  /// Someone else has published, as lines say.
  case conflict([String])
  /// A file cannot be written.
  case file(path: String, any Error)
  /// The tokens of a file cannot be used.
  case token(path: String, String)
  /// The system does not let the tool serve.
  case server(String)
  /// A flag cannot be shown or changed.
  case flag(String, FlagError)
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
  /// The exit code.
  var exitCode: ExitCode {
    switch self {
    case .usage: .usage
    case .published(let error): error.code == .invalid ? .data : .unavailable
    case .conflict: .conflict
    case .input, .document, .context, .line, .event, .data, .store, .token, .flag, .file: .data
    case .output: .output
    case .server: .unavailable
    }
  }

  /// The message, in lines.
  var lines: [String] {
    switch self {
    case .usage(let message), .context(let message), .data(let message), .server(let message):
      ["flagctl: \(message)"]
    case .input(let path, let error):
      ["flagctl: \(path ?? "standard input"): cannot be read: \(error.localizedDescription)"]
    case .document(let path, let diagnostics): diagnostics.map { "\(path):\($0)" }
    case .line(let number, let limit):
      ["flagctl: line \(number): more than \(limit) bytes; neither it nor what follows was evaluated"]
    case .event(let path, let line, let message): ["\(path):\(line): \(message)"]
    case .conflict(let lines): lines.map { "flagctl: \($0)" }
    case .file(let path, let error): ["flagctl: \(path): cannot be written: \(error.localizedDescription)"]
    case .store(let error), .published(let error):
      error.diagnostics.isEmpty ? ["flagctl: \(error)"] : error.diagnostics.map { "\(error.store):\($0)" }
    case .token(let path, let message): ["flagctl: \(path): \(message)"]
    case .flag(let key, let error): ["flagctl: \(key.excerpt): \(error.message)"]
    case .output(let error): ["flagctl: standard output: cannot be written: \(error.localizedDescription)"]
    }
  }
}

import FlagConsoleWeb
import FlagDefinitions
import FlagDomain
import FlagFleet
import FlagFoundation
import FlagServer

/// An error of a command.
struct ToolError: Error {
  let exitCode: ExitCode
  /// The message, in lines.
  let lines: [String]

  private init(_ exitCode: ExitCode, _ lines: [String]) {
    self.exitCode = exitCode
    self.lines = lines
  }

  private init(_ exitCode: ExitCode, _ message: String) { self.init(exitCode, ["flagctl: \(message)"]) }
}

/// Returns a value; an error that it throws is replaced with what a closure makes of it.
func mapError<Value, Failure: Error, Other: Error>(
  _ value: @autoclosure () throws(Failure) -> Value, _ transform: (Failure) -> Other
) throws(Other) -> Value {
  do throws(Failure) { return try value() } catch { throw transform(error) }
}

/// An exit code of the tool.
enum ExitCode: Int32 {
  case success = 0
  /// Invalid or unreadable data.
  case data = 1
  /// A difference for some users between the compared documents.
  case changed = 2
  /// Servers that do not run the expected revision.
  case behind = 3
  /// A difference between documents of which it is not decided whether it affects users.
  case undecided = 4
  /// An invalid command line, with the system's code for it.
  case usage = 64
  /// A server that cannot start, or a store that does not respond, with the system's code for an unavailable service.
  case unavailable = 69
  /// Output that cannot be written, with the system's code for it.
  case output = 74
  /// A conflict with another publication, with the system's code for a temporary failure.
  case conflict = 75
}

extension ToolError {
  /// Returns an error for an invalid command line.
  static func usage(_ message: String) -> Self { Self(.usage, message) }

  /// Returns an error for data that a command cannot use.
  static func data(_ message: String) -> Self { Self(.data, message) }

  /// Returns an error for data that a command cannot use, because of another error.
  static func data(_ error: any Error) -> Self { .data("\(error)") }

  /// Returns an error for a server that cannot start.
  static func server(_ message: String) -> Self { Self(.unavailable, message) }

  /// Returns an error for a server that cannot listen; if that is for its port, with the option that names another one.
  static func listening(_ error: any Error) -> Self {
    let isOfPort = (error as? SocketError)?.isOfPort ?? (error as? FlagConsoleError)?.isOfPort ?? false
    return .server("\(error)\(isOfPort ? "; --port names another port, 0 any free one" : "")")
  }

  /// Returns an error for a conflict with another publication.
  static func conflict(_ messages: [String]) -> Self { Self(.conflict, messages.map { "flagctl: \($0)" }) }

  /// Returns an error for a flag that cannot be shown or changed.
  static func flag(_ key: String, _ error: FlagError) -> Self { .data("\(key.excerpt): \(error.message)") }
  static func flag(_ key: String) -> (FlagError) -> Self { { flag(key, $0) } }

  /// Returns an error for an invalid line of a file.
  static func line(_ number: Int, of path: String, _ message: String) -> Self {
    Self(.data, ["\(path):\(number): \(message)"])
  }
  static func line(_ number: Int, of path: String) -> (any Error) -> Self { { line(number, of: path, "\($0)") } }

  /// Returns an error for a document that cannot be parsed.
  static func document(path: String, _ diagnostics: [DocumentDiagnostic]) -> Self {
    Self(.data, diagnostics.lines.map { "\(path):\($0)" })
  }

  static func document(path: String) -> (FlagDocumentError) -> Self { { document(path: path, $0.diagnostics) } }

  /// Returns an error for a store of definitions that cannot be read or written, or whose content is invalid.
  static func store(_ error: DefinitionStoreError) -> Self { Self(.data, error.lines) }

  /// Returns an error for a failed operation of a store of published definitions.
  static func published(_ error: DefinitionStoreError) -> Self {
    let advice = error.isOfFullStore ? ["flagctl: prune --free-space makes room, and ends a used-up quota"] : []
    return Self([.invalid, .broken].contains(error.code) ? .data : .unavailable, error.lines + advice)
  }

  /// Returns an error for a revision of a set or a file that is not there.
  static func missing(_ revision: Int, of name: String) -> Self {
    .data("\(name): there is no revision \(revision), or it was removed")
  }

  /// Returns an error for a part of a set that cannot be read, with the option that replaces it.
  static func broken(_ error: DefinitionStoreError, in set: String) -> Self {
    Self(
      .data,
      [error.problem, "nothing was published: --over-broken publishes over that"].map { "flagctl: \(set): \($0)" })
  }

  /// Returns an error for a file, or for standard input if there is no path, that cannot be read.
  static func input(path: String?, _ error: any Error) -> Self {
    .data("\(path ?? "standard input"): cannot be read: \(error.words)")
  }

  static func input(path: String?) -> (any Error) -> Self { { input(path: path, $0) } }

  /// Returns an error for a file that cannot be written.
  static func file(path: String, _ error: any Error) -> Self {
    .data("\(path): cannot be written: \(error.words)")
  }

  /// Returns an error for standard output that cannot be written.
  static func output(_ error: any Error) -> Self {
    Self(.output, "standard output: cannot be written: \(error.words)")
  }
}

extension DefinitionStoreError {
  /// The message, with the document's errors if there are any.
  var problem: String {
    diagnostics.isEmpty ? message : "\(store): \(diagnostics.map(\.description).joined(separator: "; "))"
  }

  fileprivate var lines: [String] {
    diagnostics.isEmpty ? ["flagctl: \(self)"] : diagnostics.map { "\(store):\($0)" }
  }
}

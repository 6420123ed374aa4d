import FlagDefinitions
import FlagDomain
import Foundation

struct EvaluateCommand: Command {
  private var source = DocumentSource()
  private var cases: String?

  static var options: [Option<Self>] {
    DocumentSource.options.of(\.source)
    Option("--cases", .file, "the cases (default: -, standard input)") { $0.cases = $1 == "-" ? nil : $1 }
  }

  static let summary = "Evaluates flags: reads one case from each line, and writes one result for each, in order."
  static let usage = "evaluate --flags FILE [--flags FILE ...] [--cases FILE|-] [option ...]"
  static let notes = """
    A case is {"flagKey", "type", "default", "context"}, where type is boolean, string, integer, float or object.
    A result is {"value", "variant", "reason", "errorCode", "metadata"}, with null for missing ones.
    A malformed line gets a result with an error code, and the exit code is then 1. A line of more than
    \(LineReader.maximumLength) bytes ends the run with code 1.
    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try source.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let files = try source.files(on: terminal)
    for file in files { terminal.print(file.failure) }
    guard let document = try files.merged() else { return .data }
    var session = Session(document: document, terminal: terminal) { source.seconds(on: terminal) }
    let nextPiece = try terminal.pieces(of: cases)
    while let piece = try nextPiece() {
      session.reader.append(piece)
      try session.answer { reader throws(LineTooLong) in try reader.nextLine() }
    }
    try session.answer { $0.lastLine() }
    return session.hasFailed ? .data : .success
  }
}

/// A session that evaluates all cases.
private struct Session {
  let document: any DefinitionDocument
  let terminal: Terminal
  let now: () -> Int64
  var reader = LineReader()
  private var lineNumber = 0
  /// Whether a line was malformed.
  private(set) var hasFailed = false

  init(document: any DefinitionDocument, terminal: Terminal, now: @escaping () -> Int64) {
    self.document = document
    self.terminal = terminal
    self.now = now
  }

  /// Evaluates the available lines, and writes the results together.
  mutating func answer(
    _ nextLine: (inout LineReader) throws(LineTooLong) -> [UInt8]?
  ) throws(ToolError) {
    var answers = ""
    var tooLong: ToolError?
    do throws(LineTooLong) {
      while let line = try nextLine(&reader) {
        lineNumber += 1
        if let result = answer(line) { answers += "\(result.line)\n" }
      }
    } catch {
      tooLong = .data(
        "line \(lineNumber + 1): more than \(error.limit) bytes; neither it nor what follows was evaluated")
    }
    try terminal.print(answers)
    if let tooLong { throw tooLong }
  }

  /// Returns the result for a line; nil for a blank one.
  private mutating func answer(_ line: [UInt8]) -> EvaluationResult? {
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) else { return nil }
    do {
      return EvaluationResult(try EvaluationCase(line: line), from: document, at: now())
    } catch {
      hasFailed = true
      terminal.printError("flagctl: line \(lineNumber): \(error.error.code): \(error.error.message)")
      return EvaluationResult(error.error, fallback: error.fallback)
    }
  }
}

import FlagDomain
import FlagProviders
import Foundation

/// Answers cases as they arrive, line by line.
struct EvaluateCommand {
  let options: Command.Evaluate
  let terminal: Terminal

  func run() -> ExitCode {
    guard let document = terminal.document(options.source) else { return .data }
    var session = Session(document: document, seconds: options.source.timestamp, terminal: terminal)
    do {
      try session.answerAll(from: terminal.open(options.cases))
      return session.hasFailed ? .data : .success
    } catch {
      let name = options.cases ?? "standard input"
      terminal.writeError("flagctl: \(name): cannot be read: \(error.localizedDescription)\n")
      return .data
    }
  }
}

/// One run through all cases.
private struct Session {
  let document: FlagDocument
  let seconds: Int64?
  let terminal: Terminal

  /// Whether a line was no case.
  private(set) var hasFailed = false

  private var reader = LineReader()
  private var lineNumber = 0

  init(document: FlagDocument, seconds: Int64?, terminal: Terminal) {
    self.document = document
    self.seconds = seconds
    self.terminal = terminal
  }

  mutating func answerAll(from nextPiece: () throws -> Data?) throws {
    while let piece = try nextPiece() { answer(reader.lines(completedBy: piece)) }
    if let line = reader.lastLine() { answer([line]) }
  }

  /// Answers lines, and writes the answers together.
  private mutating func answer(_ lines: [[UInt8]]) {
    var answers = ""
    for line in lines {
      lineNumber += 1
      if let result = answer(line) { answers += "\(result)\n" }
    }
    if !answers.isEmpty { terminal.write(answers) }
  }

  /// Answers a line; one of nothing but white space gets no answer.
  private mutating func answer(_ line: [UInt8]) -> EvaluationResult? {
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) else { return nil }
    do {
      return EvaluationResult(
        try EvaluationCase(line: line), from: document, at: seconds ?? terminal.now())
    } catch {
      hasFailed = true
      terminal.writeError("flagctl: line \(lineNumber): \(error.error.code): \(error.error.message)\n")
      return EvaluationResult(error.error, fallback: error.fallback)
    }
  }
}

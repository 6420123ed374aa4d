import FlagDefinitions
import FlagDomain

struct EvaluateCommand: Command {
  private var source = DocumentSource()
  private var cases = "-"

  static var options: [Option<Self>] {
    DocumentSource.options.of(\.source)
    Option("--cases", .file, "the cases (default: -, standard input)", \.cases)
  }

  static let summary = "Evaluates flags: reads one case from each line, and writes one result for each, in order."
  static let usage = "evaluate --flags FILE [--cases FILE] [option ...]"
  static let example = "evaluate --flags flags.json --cases cases.jsonl"
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
    let documents = try source.definitions(on: terminal)
    for (name, definitions) in documents { terminal.print(.document(path: name, definitions.document.diagnostics)) }
    let document = try documents.merged()
    var (answers, hasFailed) = ("", false)
    try terminal.forEachLine(
      of: cases,
      { line, number throws(ToolError) in
        let result: EvaluationResult
        do throws(EvaluationCase.Failure) {
          let question = try EvaluationCase(line: line)
          result = EvaluationResult(question, from: document, at: source.seconds(on: terminal))
        } catch {
          hasFailed = true
          terminal.printError("flagctl: line \(number): \(error.error.code): \(error.error.message)")
          result = EvaluationResult(error.error, fallback: error.fallback)
        }
        answers += "\(result.line)\n"
      },
      pause: { () throws(ToolError) in
        try terminal.print(answers)
        answers = ""
      },
      tooLong: { number, error in
        .data("line \(number): more than \(error.limit) bytes; neither it nor what follows was evaluated")
      })
    return hasFailed ? .data : .success
  }
}

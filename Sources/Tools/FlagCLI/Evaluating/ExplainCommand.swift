import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagReview

struct ExplainCommand: Command {
  private var source = DocumentSource()
  private var flag = ""
  private var context = "{}"
  private var isJSON = false

  static var options: [Option<Self>] {
    DocumentSource.options.of(\.source)
    Option("--context", .text("JSON"), #"the context: an object, with the user as "targetingKey""#, \.context)
    Option("--json", "writes JSON, not text", \.isJSON)
  }

  static let summary = """
    Explains a flag's value for one context: the conditions with their results, and the problems of the flag.
    """
  static let usage = "explain --flags FILE [--flags FILE ...] FLAG [--context JSON] [option ...]"
  static let notes = "The exit code is 1 if the flag is missing or cannot be evaluated."

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try source.check()
    flag = try operands.one("FLAG")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let (explanation, file) = try explain(on: terminal)
    let found = file.map { $0.vendorDiagnostics ?? FlagDocument.diagnostics(in: $0.text, of: flag) } ?? []
    let diagnostics = found.map { ExplanationReport.FileDiagnostic(file: file?.path ?? "", diagnostic: $0) }
    let report = ExplanationReport(
      explanation: explanation, diagnostics: diagnostics, isOfVendor: file?.vendorDiagnostics != nil)
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return explanation.error == nil ? .success : .data
  }

  /// The file that defines the flag, with the diagnostics of the flag if its format is a vendor's.
  private typealias DefiningFile = (path: String, text: [UInt8], vendorDiagnostics: [DocumentDiagnostic]?)

  /// Returns the explanation of the flag's value, and the file that defines the flag.
  ///
  /// The loaded documents are released here: the diagnostics come from a second read of the file, which takes as much
  /// memory again.
  private func explain(on terminal: Terminal) throws(ToolError) -> (explanation: FlagExplanation, file: DefiningFile?) {
    let documents = try source.definitions(on: terminal)
    let context = try evaluationContext
    var explanation = try documents.merged().explain(flag, in: context, at: source.seconds(on: terminal))
    if explanation.answer == nil, explanation.error == nil {
      explanation.error = FlagError(.flagNotFound, "no flag is named \(flag.excerpt)")
    }
    let file = documents.defining(flag).map { path, definitions in
      let isInHouse = definitions.document is FlagDocument
      let found = isInHouse ? nil : definitions.document.diagnostics.filter { $0.concerns(flag) }
      return DefiningFile(path, definitions.text, found)
    }
    return (explanation, file)
  }

  private var evaluationContext: EvaluationContext {
    get throws(ToolError) {
      let value = try mapError(try FlagValue(json: Array(context.utf8))) { (error: JSONError) in
        ToolError.data("--context: \(error)")
      }
      return try mapError(try EvaluationContext(json: value)) { (error: FlagError) in
        ToolError.data("--\(error.message)")
      }
    }
  }
}

import FlagDefinitions
import FlagDomain
import FlagJSON
import FlagReview
import Foundation

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
    guard let (explanation, file) = try explain(on: terminal) else { return .data }
    let diagnostics = file.map { file in
      let found = file.others ?? FlagDocument.diagnostics(in: file.data, of: flag)
      return found.map { ExplanationReport.FileDiagnostic(file: file.path, diagnostic: $0) }
    }
    let report = ExplanationReport(
      explanation: explanation, diagnostics: diagnostics ?? [], isOfVendor: file?.others != nil)
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return explanation.error == nil ? .success : .data
  }

  /// Returns the explanation of the flag's value, and the file that defines the flag; nil if a file cannot be read.
  ///
  /// The loaded documents are released here: the diagnostics come from a second read of the file, which takes as much
  /// memory again.
  private func explain(
    on terminal: Terminal
  ) throws(ToolError) -> (explanation: FlagExplanation, file: DefiningFile?)? {
    let files = try source.files(on: terminal)
    let context = try evaluationContext
    guard let document = try files.merged() else { return nil }
    var explanation = document.explain(flag, in: context, at: source.seconds(on: terminal))
    if explanation.answer == nil, explanation.error == nil {
      explanation.error = FlagError(.flagNotFound, "no flag is named \(flag.excerpt)")
    }
    let file = files.last { $0.document.listing(of: flag) != nil }
    return (explanation, file.map { DefiningFile($0, of: flag) })
  }

  /// The file that defines the flag, with the diagnostics of the flag if its format is a vendor's.
  private struct DefiningFile {
    let path: String
    let data: Data
    let others: [DocumentDiagnostic]?

    init(_ file: DocumentSource.File, of flag: String) {
      (path, data) = (file.path, file.data)
      let isInHouse = file.document is FlagDocument
      others = isInHouse ? nil : file.document.diagnostics.filter { $0.concerns(flag) }
    }
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

import FlagDefinitions
import FlagDomain
import FlagReview
import FlagSupport

struct ValidateCommand: Command {
  private var review = ReviewOptions()
  private var isStrict = false
  private var format = FormatOptions.Name.inHouse

  static var options: [Option<Self>] {
    Option("--strict", "fails on warnings, too", \.isStrict)
    Option.format(\.format)
    ReviewOptions.options.of(\.review)
  }

  static let summary = """
    Finds errors and likely mistakes in documents: each diagnostic with its file, line, column and JSON path.
    """
  static let usage = "validate FILE... [option ...]"
  static let example = "validate flags.json"
  static let fileOperands = 1
  static let notes = """
    An error is invalid in the format, or can never be evaluated. A warning is probably not intended.
    The exit code is 1 if any diagnostic is an error, or with --strict a warning, and 0 otherwise. Each FILE is
    checked on its own: rules can use only the evaluators of their own document.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) { try review.finish(operands) }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var reports: [Report] = []
    let isComplete = try review.forEach(on: terminal) { document throws(ToolError) in
      let report = Report(document, diagnostics(in: document.text), isStrict)
      // Text is printed document by document.
      if review.report == .text { try terminal.print(report.text) }
      reports.append(report)
    }
    try review.print(
      text: { "" },
      json: {
        FlagValue([
          "version": 1, "documents": reports.map(\.json), "diagnostics": reports.flatMap(\.diagnosticsJSON),
        ])
      }, findings: { reports.flatMap(\.findings) }, on: terminal)
    return isComplete && reports.allSatisfy(\.isValid) ? .success : .data
  }

  private func diagnostics(in text: [UInt8]) -> [DocumentDiagnostic] {
    guard format != .inHouse else { return FlagDocument.diagnostics(in: text) }
    do throws(FlagDocumentError) {
      return try format.format.read(text, of: nil).diagnostics
    } catch {
      return error.diagnostics
    }
  }
}

private struct Report {
  private let document: ReviewedText
  private let diagnostics: [DocumentDiagnostic]
  let isValid: Bool

  init(_ document: ReviewedText, _ diagnostics: [DocumentDiagnostic], _ isStrict: Bool) {
    (self.document, self.diagnostics) = (document, diagnostics)
    isValid = !diagnostics.contains { isStrict || $0.severity == .error }
  }

  var text: String {
    let name = document.name
    return (diagnostics.lines.map { "\(name):\($0)" } + (isValid ? ["\(name): valid"] : [])).text
  }

  var json: FlagValue { FlagValue(["name": document.name, "isValid": isValid]) }

  var diagnosticsJSON: [FlagValue] {
    diagnostics.map { diagnostic in
      FlagValue([
        "name": document.name, "line": diagnostic.line, "column": diagnostic.column,
        "severity": diagnostic.severity.rawValue, "path": diagnostic.path, "message": diagnostic.message,
      ])
    }
  }

  var findings: [Finding] { diagnostics.map { Finding($0, of: document) } }
}

import FlagDefinitions
import FlagReview
import Foundation

struct ValidateCommand: Command {
  private var files: [String] = []
  private var isStrict = false

  static var options: [Option<Self>] {
    Option("--strict", "fails on warnings, too", \.isStrict)
  }

  static let help = """
    Finds errors and likely mistakes in documents: each diagnostic with its file, line, column and JSON path.

    usage: flagctl validate [--strict] FILE...

    \(options.help())

    An error is invalid in the format, or can never be evaluated. A warning is probably not intended.
    The exit code is 1 if any diagnostic is an error, or with --strict a warning, and 0 otherwise. Each FILE is
    checked on its own: rules can use only the evaluators of their own document.

    """

  mutating func finish(_ operands: Operands) throws(UsageError) { files = try operands.some("FILE") }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    var exitCode = ExitCode.success
    for path in files {
      let text: Data
      do {
        text = try terminal.contents(of: path)
      } catch {
        // The other files are validated all the same.
        terminal.print(error)
        exitCode = .data
        continue
      }
      let report = Report(path, FlagDocument.diagnostics(in: text), isStrict)
      try terminal.print(report.text)
      if !report.isValid { exitCode = .data }
    }
    return exitCode
  }
}

private struct Report {
  let isValid: Bool
  let text: String

  init(_ path: String, _ diagnostics: [DocumentDiagnostic], _ isStrict: Bool) {
    isValid = !diagnostics.contains { isStrict || $0.severity == .error }
    text = diagnostics.map { "\(path):\($0)\n" }.joined() + (isValid ? "\(path): valid\n" : "")
  }
}

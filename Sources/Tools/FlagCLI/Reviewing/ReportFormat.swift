import FlagDomain

/// The format of a review's report: an option that commands share.
struct ReportOptions: OptionGroup {
  /// The format of the output.
  enum Format: String, CaseIterable, Sendable {
    case text, json, github
  }

  private var named: Format?
  private var isJSON = false

  static var options: [Option<Self>] {
    Option(
      "--format", .choice(),
      "json of version 1, or commands for annotations on GitHub (default: text)", \.named)
    Option("--json", "the same as --format json", \.isJSON)
  }

  mutating func use(_ format: Format) { named = format }

  var format: Format { named ?? (isJSON ? .json : .text) }

  func check() throws(UsageError) {
    if isJSON, let named { throw UsageError("--json or --format is enough, found --format \(named.rawValue) as well") }
  }

  /// Prints a report, of which only the requested format is created.
  func print(
    text: () -> String, json: () -> FlagValue, findings: () -> [Finding], on terminal: Terminal
  ) throws(ToolError) {
    switch format {
    case .text: try terminal.print(text())
    case .json: try terminal.print("\(json().printed)\n")
    case .github: try terminal.print(findings().map(\.workflowCommand).joined())
    }
  }
}

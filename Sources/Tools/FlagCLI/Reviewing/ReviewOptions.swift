import FlagDefinitions
import FlagDomain
import FlagFoundation

/// A document to review: a file, or the document that the servers of a set run.
struct ReviewedText {
  let name: String
  let text: [UInt8]
  let isFile: Bool
}

/// The documents of a review, and the format of its report: options that commands share.
struct ReviewOptions: OptionGroup {
  private var files: [String] = []
  private var fleet = FleetOptions()
  private(set) var report = Report.text

  /// The form of the report.
  enum Report { case text, json, github }

  static var options: [Option<Self>] {
    Option("--json", "writes JSON of version 1, not text", \.report, is: .json)
    Option("--github", "writes annotations of a code review on GitHub, not text", \.report, is: .github)
    Option("--flags", .file, "the same as FILE; may be given several times", addingTo: \.files)
    FleetOptions.options.of(\.fleet)
  }

  mutating func finish(_ operands: Operands) throws(UsageError) {
    if fleet.isUsed { try fleet.checkSets() } else if files.isEmpty { _ = try operands.some("FILE") }
    files += operands.words
  }

  /// Calls a function for each document; one that cannot be read is reported, and the others are read all the same.
  ///
  /// - Returns: Whether all could be read.
  func forEach(
    on terminal: Terminal, _ body: (ReviewedText) throws(ToolError) -> Void
  ) throws(ToolError) -> Bool {
    var isComplete = true
    for file in files {
      do throws(ToolError) {
        try body(ReviewedText(name: file, text: Array(try terminal.contents(of: file)), isFile: true))
      } catch {
        guard error.exitCode == .data else { throw error }
        terminal.print(error)
        isComplete = false
      }
    }
    for (name, text) in try fleet.currentTexts(on: terminal) {
      try body(ReviewedText(name: name, text: text, isFile: false))
    }
    return isComplete
  }

  /// Prints a report, of which only the requested format is created.
  func print(
    text: () -> String, json: () -> FlagValue, findings: () -> [Finding], on terminal: Terminal
  ) throws(ToolError) {
    switch report {
    case .text: try terminal.print(text())
    case .json: try terminal.print("\(json().printed)\n")
    case .github: try terminal.print(findings().map(\.workflowCommand).joined())
    }
  }
}

import FlagDefinitions
import FlagDomain
import Foundation

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
  private var named: Format?
  private var isJSON = false

  /// The format of the report.
  enum Format: String, CaseIterable, Sendable {
    case text, json, github
  }

  static var options: [Option<Self>] {
    Option(
      "--format", .choice(), "json of version 1, or commands for annotations on GitHub (default: text)", \.named)
    Option("--json", "the same as --format json", \.isJSON)
    FleetOptions.options.of(\.fleet)
  }

  /// The options for a command whose `--format` names the format of the documents, too.
  static var optionsWithoutFormat: [Option<Self>] { options.filter { $0.name != "--format" } }

  mutating func use(_ format: Format) { named = format }

  var format: Format { named ?? (isJSON ? .json : .text) }

  mutating func finish(_ operands: Operands) throws(UsageError) {
    if isJSON, let named { throw UsageError("--json or --format is enough, found --format \(named.rawValue) as well") }
    guard fleet.isUsed else {
      files = try operands.some("FILE")
      return
    }
    try fleet.checkSets()
    files = operands.words
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
    for set in fleet.sets {
      let set = try fleet.set(set, on: terminal)
      let (revision, text) = try set.currentText()
      try body(ReviewedText(name: set.title(ofRevision: revision), text: text, isFile: false))
    }
    return isComplete
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

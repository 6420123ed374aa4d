import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagFoundation
import FlagStatistics

/// A command that analyzes an experiment, or prints the SQL query that prepares its data in another engine.
struct AnalyzeCommand: Command {
  private var options = AnalyzeOptions()
  private var query: AggregateQuery?

  static var options: [Option<Self>] { AnalyzeOptions.options.of(\.options) }

  static let summary = """
    Analyzes an experiment: the effect of each variant on each metric, its uncertainty, and a verdict.
    """
  static let usage = """
    analyze --exposures FILE... --conversions FILE... [option ...]
    analyze --aggregates FILE [option ...]
    analyze --sql duckdb|postgres|spark --flag FLAG [option ...]
    """
  static let example = "analyze --events events.jsonl --metric purchase"
  static let settingsUse = Settings.Use.none
  static let notes = """
    A user belongs to the variant of the first exposure; users of two variants, and conversions before the first
    exposure, are left out and counted. The exit code is 1 if the data cannot be analyzed, and after the report if it
    is not sound: if users are not divided as planned (p < 0.001), if more of one variant saw another one, too, did
    something before their first exposure, or lost events (p < 0.001), if a share is above --tolerance, or if hardly
    any conversion is of someone who was exposed.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try options.check()
    query = try options.query
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    if let query {
      try terminal.printContent(query.text)
      return .success
    }
    let data = if let path = options.aggregates { try aggregates(path, terminal) } else { try events(terminal) }
    if let flag = options.plan.flag, let found = data.flag, flag != found {
      throw .data(AnalysisError(noSuchFlag: flag, among: [found]))
    }
    let settings = try options.settings(of: data.flag, on: terminal)
    let analysis = try mapError(try ExperimentAnalysis(of: data, settings), ToolError.data)
    switch options.form {
    case .text: try terminal.print(TextReport(analysis).text)
    case .json: try terminal.printContent(JSONReport(analysis).text)
    case .html: try terminal.printContent(HTMLReport(analysis).text)
    }
    return analysis.health.isSound ? .success : .data
  }

  private func aggregates(_ path: String, _ terminal: Terminal) throws(ToolError) -> ExperimentData {
    var reader = AggregateReader()
    try terminal.forEachLine(of: path) { line, number throws(ToolError) in
      try mapError(try reader.add(line), ToolError.line(number, of: path))
    }
    return try mapError(try reader.finish(), ToolError.data)
  }

  private func events(_ terminal: Terminal) throws(ToolError) -> ExperimentData {
    let folder = options.temporaryFolder ?? FileManager.default.temporaryDirectory.path
    var join = ExperimentJoin(options.joinPlan, memory: JoinMemory(directory: folder))
    var reader = EventReader(.file, readsAttributes: options.plan.attribute != nil)
    for input in options.inputs {
      try terminal.forEachLine(of: input.path) { line, number throws(ToolError) in
        let event: TrackedEvent?
        do throws(FlagError) { event = try reader.read(line) } catch {
          guard options.skipsBroken else { throw .line(number, of: input.path, error.message) }
          return join.skipBrokenLine()
        }
        switch event?.content {
        case nil: break
        case .exposure? where !input.hasExposures, .conversion? where !input.hasConversions: break
        case _?: if let event { try mapError(try join.add(event), ToolError.line(number, of: input.path)) }
        }
      }
    }
    return try mapError(try join.finish(reader), ToolError.data)
  }
}

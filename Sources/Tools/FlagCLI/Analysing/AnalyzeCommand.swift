import FlagAnalysis
import FlagDomain
import FlagEvents
import FlagStatistics
import Foundation

/// A command that analyzes an experiment, or prints the SQL query that prepares its data in another engine.
struct AnalyzeCommand: Command {
  private var options = AnalyzeOptions()
  private var query: AggregateQuery?

  static var options: [Option<Self>] { AnalyzeOptions.options.of(\.options) }
  static let help = AnalyzeOptions.help

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
      throw .data("\(AnalysisError(noSuchFlag: flag, among: [found]))")
    }
    let settings = try options.settings(of: data.flag, on: terminal)
    let analysis: ExperimentAnalysis
    do { analysis = try ExperimentAnalysis(of: data, settings) } catch { throw .data("\(error)") }
    switch options.form {
    case .text: try terminal.print(TextReport(analysis).text)
    case .json: try terminal.printContent(JSONReport(analysis).text)
    case .html: try terminal.printContent(HTMLReport(analysis).text)
    }
    return analysis.health.isSound ? .success : .data
  }

  private func aggregates(_ path: String, _ terminal: Terminal) throws(ToolError) -> ExperimentData {
    var reader = AggregateReader()
    try terminal.forEachLine(of: path) { line throws(AnalysisError) in try reader.add(line) }
    do { return try reader.finish() } catch { throw .data("\(error)") }
  }

  private func events(_ terminal: Terminal) throws(ToolError) -> ExperimentData {
    let folder = options.temporaryFolder ?? FileManager.default.temporaryDirectory.path
    var join = ExperimentJoin(options.joinPlan, memory: JoinMemory(directory: folder))
    var reader = EventReader(.file, readsAttributes: options.plan.attribute != nil)
    for input in options.inputs {
      try terminal.forEachLine(of: input.path) { line throws(AnalysisError) in
        let event: TrackedEvent?
        do throws(FlagError) {
          event = try reader.read(line)
        } catch {
          guard options.skipsBroken else { throw AnalysisError(error.message) }
          return join.skipBrokenLine()
        }
        guard let event else { return }
        switch event.content {
        case .exposure where !input.hasExposures, .conversion where !input.hasConversions: break
        default: try join.add(event)
        }
      }
    }
    do { return try join.finish(reader) } catch { throw .data("\(error)") }
  }
}

extension Terminal {
  /// Passes the nonblank lines of a file to a closure, without line endings; errors carry the line number.
  fileprivate func forEachLine(
    of path: String, _ body: ([UInt8]) throws(AnalysisError) -> Void
  ) throws(ToolError) {
    let nextPiece = try pieces(of: path == "-" ? nil : path)
    var lines = LineReader()
    var number = 0
    func hand(_ line: [UInt8]) throws(ToolError) {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { return }
      do { try body(line) } catch { throw .line(number, of: path, error.message) }
    }
    do {
      while let piece = try nextPiece() {
        lines.append(piece)
        while let line = try lines.nextLine() { try hand(line) }
      }
      if let line = lines.lastLine() { try hand(line) }
    } catch let error as LineTooLong {
      throw .line(number + 1, of: path, "expected at most \(error.limit) bytes, found more")
    } catch let error as ToolError {
      throw error
    } catch {
      throw .input(path: path, error)
    }
  }
}

import FlagDefinitions
import FlagDomain
import FlagReview

struct ReferencesCommand: Command {
  private var readers = ReaderOptions()
  private var catalogs: [String] = []
  private var today: CalendarDay?
  private var form = Form.text

  private enum Form { case text, json, summary }

  static var options: [Option<Self>] {
    ReaderOptions.options.of(\.readers)
    Option(
      "--catalog", .file,
      """
      a manifest by FlagCatalog.manifest(of:) with the flags to look for (default: those that
      the source declares); may be given several times
      """, addingTo: \.catalogs)
    Option.today(\.today)
    Option("--json", "writes JSON of version 1, not text", \.form, is: .json)
    Option("--summary", "writes Markdown for a pull request, with the flags to clean up alone", \.form, is: .summary)
  }

  static let summary = """
    Finds the declarations and reads of each flag, unread flags, and expired flags that may still be read.
    """
  static let usage = "references --source DIR [option ...]"
  static let example = "references --source Sources"
  static let notes = """
    Reads are found by the flag's name, or by its key in quotes, which something else may have, too.

    The exit code is 1 if there is an unread flag, or an expired one that may still be read.
    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    if readers.sources.isEmpty { throw UsageError("--source DIR is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let references = try readers.references(
      of: catalogs.isEmpty ? nil : try terminal.manifest(at: catalogs).manifest,
      today ?? CalendarDay(seconds: terminal.now()), on: terminal)
    let report = ReferencesReport(sources: readers.sources, references: references)
    switch form {
    case .text: try terminal.print(report.text)
    case .json: try terminal.print("\(report.json.printed)\n")
    case .summary: try terminal.print(report.summary)
    }
    return report.hasFindings ? .data : .success
  }
}

extension Terminal {
  /// Returns the flags of several manifests, and the path of the first one that has each.
  func manifest(at paths: [String]) throws(ToolError) -> (manifest: FlagManifest, paths: [String: String]) {
    var (manifests, pathOfKey) = ([FlagManifest](), [String: String]())
    for path in paths {
      let manifest = try manifest(at: path)
      for entry in manifest.entries where pathOfKey[entry.key] == nil { pathOfKey[entry.key] = path }
      manifests.append(manifest)
    }
    do throws(FlagError) {
      return (try FlagManifest(merging: manifests), pathOfKey)
    } catch {
      throw .data("\(paths.joined(separator: ", ")): \(error.message)")
    }
  }

  private func manifest(at path: String) throws(ToolError) -> FlagManifest {
    let text = try contents(of: path)
    return try mapError(try FlagManifest(parsing: Array(text))) { (error: FlagError) in
      ToolError.data("\(path): \(error.message)")
    }
  }
}

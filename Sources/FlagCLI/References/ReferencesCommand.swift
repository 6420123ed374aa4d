import FlagDefinitions
import FlagDomain
import FlagReview
import Foundation

struct ReferencesCommand: Command {
  private var source: String?
  private var catalog: String?
  private var store: String?
  private var library: String?
  private var today: CalendarDay?
  private var form = Form.text

  private enum Form { case text, json, summary }

  static var options: [Option<Self>] {
    Option("--source", .file, "the folder of the source, with those in it", \.source)
    Option(
      "--catalog", .file,
      """
      what the program wrote by FlagCatalog.manifest(of:): the flags that are looked for; else
      those that the source declares
      """, \.catalog)
    Option(
      "--index-store", .file,
      """
      the compiler's index; unless told otherwise, that of the last debug build by swift build
      around the source: .build/debug/index/store
      """, \.store)
    Option(
      "--index-library", .file,
      "the toolchain's libIndexStore; unless told otherwise, the one beside the swift that is found by PATH", \.library)
    Option.today(\.today)
    Option("--json", "writes JSON of version 1, not text", \.form, is: .json)
    Option("--summary", "writes Markdown for a pull request: what should be done, and no more", \.form, is: .summary)
  }

  static let help = """
    Says where each flag is declared and read, which flags nothing reads any more, and which expired ones are still
    read.

    usage: flagctl references --source DIR [option ...]

    \(options.help())

    After a build, the compiler's index says where a flag is read. Where there is none, and in files that changed since,
    names are looked for, which may mean another thing: then it says "may". A flag's key in quotes may be a read, too.

    The exit code is 1 if there is a flag that nothing reads, or one that expired and is still read.

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    if source == nil { throw UsageError("--source DIR is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let source = source ?? "."
    let search = ReferenceSearch(
      source: source, catalog: try catalog.map { path throws(ToolError) in try terminal.manifest(at: path) },
      today: today ?? CalendarDay(seconds: terminal.now()), index: index(of: source))
    let report = ReferencesReport(
      source: source, references: try search.run { path throws(ToolError) in try terminal.contents(of: path) })
    switch form {
    case .text: try terminal.print(report.text)
    case .json: try terminal.print("\(report.json.printed)\n")
    case .summary: try terminal.print(report.summary)
    }
    return report.hasFindings ? .data : .success
  }

  /// Returns the index from the options, or that of the last build; a missing index from the options fails when it is
  /// read.
  private func index(of source: String) -> ReferenceSearch.Index {
    guard let store = store ?? Toolchain.store(around: source) else {
      return .none(reason: "There is no index of a build around \(source.excerpt)")
    }
    guard let library = library ?? Toolchain.library else {
      return .none(reason: "The toolchain's libIndexStore is not beside the swift that PATH has")
    }
    return .store(store, library: library)
  }
}

private enum Toolchain {
  /// Returns the index of the last debug build of the package around a folder; nil if it does not exist.
  static func store(around source: String) -> String? {
    var folder = URL(filePath: source).standardizedFileURL.resolvingSymlinksInPath()
    while true {
      let store = folder.appending(path: ".build/debug/index/store").path
      if FileManager.default.fileExists(atPath: store + "/v5") { return store }
      if folder.path == "/" || folder.path.isEmpty { return nil }
      folder.deleteLastPathComponent()
    }
  }

  /// The library of the toolchain in PATH; nil if it does not exist.
  static var library: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "swift") }
    let toolchains = folders.map {
      $0.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent().path
    }
    // The compiler in PATH may be a stub, as on macOS.
    let others = [
      "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr",
      "/Library/Developer/CommandLineTools/usr",
    ]
    let candidates = (toolchains + others).flatMap { ["\($0)/lib/libIndexStore.so", "\($0)/lib/libIndexStore.dylib"] }
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }
}

extension Terminal {
  func manifest(at path: String) throws(ToolError) -> FlagManifest {
    let text = try contents(of: path)
    do throws(FlagError) {
      return try FlagManifest(parsing: Array(text))
    } catch {
      throw .data("\(path): \(error.message)")
    }
  }
}

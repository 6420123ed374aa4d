import FlagDefinitions
import FlagDomain
import FlagReview
import Foundation

struct ReferencesCommand: Command {
  private var sources: [String] = []
  private var catalogs: [String] = []
  private var store: String?
  private var library: String?
  private var today: CalendarDay?
  private var form = Form.text

  private enum Form { case text, json, summary }

  static var options: [Option<Self>] {
    Option(
      "--source", .file, "a folder of source, searched recursively; may be given several times", addingTo: \.sources)
    Option(
      "--catalog", .file,
      """
      a manifest by FlagCatalog.manifest(of:) with the flags to look for (default: those that
      the source declares); may be given several times
      """, addingTo: \.catalogs)
    Option(
      "--index-store", .file,
      """
      the compiler's index (default: that of the last debug build around the first source,
      .build/debug/index/store)
      """, \.store)
    Option(
      "--index-library", .file,
      "the toolchain's libIndexStore (default: next to the swift in PATH)", \.library)
    Option.today(\.today)
    Option("--json", "writes JSON of version 1, not text", \.form, is: .json)
    Option("--summary", "writes Markdown for a pull request, with the flags to clean up alone", \.form, is: .summary)
  }

  static let help = """
    Finds the declarations and reads of each flag, unread flags, and expired flags that are still read.

    usage: flagctl references --source DIR [option ...]

    \(options.help())

    After a build, reads come from the compiler's index. Without an index, and in files that changed since the build,
    they are found by name, which is uncertain: the output then says "may". A flag's key in quotes may be a read, too.

    The exit code is 1 if there is an unread flag, or an expired one that is still read.

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    if sources.isEmpty { throw UsageError("--source DIR is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let search = ReferenceSearch(
      sources: sources, catalog: catalogs.isEmpty ? nil : try terminal.manifest(at: catalogs).manifest,
      today: today ?? CalendarDay(seconds: terminal.now()), index: index(of: sources[0]))
    let report = ReferencesReport(
      sources: sources, references: try search.run { path throws(ToolError) in try terminal.contents(of: path) })
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
    do throws(FlagError) {
      return try FlagManifest(parsing: Array(text))
    } catch {
      throw .data("\(path): \(error.message)")
    }
  }
}

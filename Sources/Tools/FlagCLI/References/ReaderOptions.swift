import FlagConsole
import FlagConsoleEditor
import FlagDefinitions
import FlagDomain
import FlagReview

/// The source code that reads flags: an option that commands share.
struct ReaderOptions: OptionGroup {
  private(set) var sources: [String] = []

  static var options: [Option<Self>] {
    Option(
      "--source", .file, "a folder of source, searched recursively; may be given several times", addingTo: \.sources)
  }

  /// Finds the declarations and reads of flags.
  ///
  /// - Parameters:
  ///   - catalog: The flags to look for; nil for all that the source declares.
  ///   - today: The day that expiry dates are compared with.
  ///   - terminal: The terminal that reads files.
  /// - Returns: The flags with their reads.
  /// - Throws: An error if a folder or a file cannot be read.
  func references(
    of catalog: FlagManifest?, _ today: CalendarDay, on terminal: Terminal
  ) throws(ToolError) -> FlagReferences {
    let search = ReferenceSearch(sources: sources, catalog: catalog, today: today)
    return try search.run { path throws(ToolError) in try terminal.contents(of: path) }
  }

  /// Finds the places that may read a document's flags, by their keys.
  func reads(
    of document: any DefinitionDocument, on terminal: Terminal
  ) throws(ToolError) -> [String: [FlagReferences.Place]] {
    let catalog = try mapError(try FlagManifest(of: FlagCatalog.catalogs(of: document, named: "document"))) {
      (error: FlagError) in
      ToolError.data(error.message)
    }
    let flags = try references(of: catalog, CalendarDay(seconds: terminal.now()), on: terminal).flags
    return flags.reduce(into: [:]) { reads, flag in
      for key in flag.keys { reads[key, default: []] += flag.reads }
    }
  }

  /// Says what may read a flag that is to go, and refuses that unless it is forced.
  ///
  /// - Throws: An error if something may read the flag, and nothing forces the change.
  func check(
    _ key: String, in document: any DefinitionDocument, isForced: Bool, on terminal: Terminal
  ) throws(ToolError) {
    guard !sources.isEmpty else {
      return terminal.printError("flagctl: \(key.excerpt): without --source DIR it is not known what reads the flag")
    }
    let reads = try reads(of: document, on: terminal)[key] ?? []
    for read in reads.prefix(20) { terminal.printError("flagctl: \(key.excerpt): may be read: \(read)") }
    if reads.count > 20 { terminal.printError("flagctl: \(key.excerpt): and \(reads.count - 20) more") }
    guard reads.isEmpty || isForced else {
      throw .data("\(key.excerpt): nothing was changed, because something may read the flag; see --force")
    }
  }
}

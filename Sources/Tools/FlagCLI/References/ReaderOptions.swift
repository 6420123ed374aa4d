import FlagConsole
import FlagDefinitions
import FlagDomain
import FlagReview
import Foundation

/// The source code that reads flags, and the compiler's index of it: options that commands share.
struct ReaderOptions: OptionGroup {
  private(set) var sources: [String] = []
  private var store: String?
  private var library: String?

  static var options: [Option<Self>] { sourceOptions + indexOptions }

  @OptionsBuilder<Self> static var sourceOptions: [Option<Self>] {
    Option(
      "--source", .file, "a folder of source, searched recursively; may be given several times", addingTo: \.sources)
  }

  @OptionsBuilder<Self> static var indexOptions: [Option<Self>] {
    Option(
      "--index-store", .file,
      """
      the compiler's index (default: that of the last debug build around the first source,
      .build/debug/index/store)
      """, \.store)
    Option(
      "--index-library", .file,
      "the toolchain's libIndexStore (default: next to the swift in PATH)", \.library)
  }
}

extension ReaderOptions {
  /// Checks that options of an index come with the source that it is of.
  func check() throws(UsageError) {
    guard sources.isEmpty, let option = store != nil ? "--index-store" : library != nil ? "--index-library" : nil else {
      return
    }
    throw UsageError("\(option) is for the source that --source names, which is missing")
  }

  /// Finds the declarations and reads of flags.
  ///
  /// - Parameters:
  ///   - catalog: The flags to look for; nil for all that the source declares.
  ///   - today: The day that expiry dates are compared with.
  ///   - terminal: The terminal that reads files.
  /// - Returns: The flags with their reads.
  /// - Throws: An error if a folder or the index cannot be read.
  func references(
    of catalog: FlagManifest?, _ today: CalendarDay, on terminal: Terminal
  ) throws(ToolError) -> FlagReferences {
    let search = ReferenceSearch(
      sources: sources, catalog: catalog, today: today, index: index(of: sources.first ?? "."))
    return try search.run { path throws(ToolError) in try terminal.contents(of: path) }
  }

  /// Finds the reads of a document's flags by their keys; each as a place, and whether it only may be one.
  func reads(
    of document: any DefinitionDocument, on terminal: Terminal
  ) throws(ToolError) -> [String: [FlagReferences.Read]] {
    let catalog: FlagManifest
    do throws(FlagError) {
      catalog = try FlagManifest(of: FlagCatalog.catalogs(of: document, named: "document"))
    } catch {
      throw .data(error.message)
    }
    let flags = try references(of: catalog, CalendarDay(seconds: terminal.now()), on: terminal).flags
    return flags.reduce(into: [:]) { reads, flag in
      for key in flag.keys { reads[key, default: []] += flag.reads }
    }
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

extension ReaderOptions {
  /// Says what reads a flag that is to go, and refuses that unless it is forced.
  ///
  /// - Throws: An error if something reads the flag, or may read it, and nothing forces the change.
  func check(
    _ key: String, in document: any DefinitionDocument, isForced: Bool, on terminal: Terminal
  ) throws(ToolError) {
    guard !sources.isEmpty else {
      return terminal.printError("flagctl: \(key.excerpt): without --source DIR it is not known what reads the flag")
    }
    let reads = try reads(of: document, on: terminal)[key] ?? []
    for read in reads.prefix(20) { terminal.printError("flagctl: \(key.excerpt): \(read)") }
    if reads.count > 20 { terminal.printError("flagctl: \(key.excerpt): and \(reads.count - 20) more") }
    guard reads.isEmpty || isForced else {
      throw .data("\(key.excerpt): nothing was changed, because something reads the flag; see --force")
    }
  }
}

extension FlagReferences.Read: CustomStringConvertible {
  /// The place, and whether the read is certain.
  var description: String { "\(isCertain ? "read" : "may be read"): \(place)" }
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

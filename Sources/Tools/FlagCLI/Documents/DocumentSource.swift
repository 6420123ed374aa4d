import FlagDefinitions
import FlagDomain
import Foundation

/// The documents that a command uses, with their settings: options that several commands share.
struct DocumentSource: OptionGroup {
  private(set) var paths: [String] = []
  private var format = FormatOptions()
  private var timestamp: Int64?

  static var options: [Option<Self>] {
    Option(
      "--flags", .file,
      """
      the document; a later document's flag replaces an earlier one with the same key, and rules
      can use only the evaluators of their own document
      """, addingTo: \.paths)
    FormatOptions.options.of(\.format)
    Option.timestamp(\.timestamp)
  }

  struct File {
    let path: String
    let data: Data
    let document: any DefinitionDocument
  }

  func check() throws(UsageError) {
    if paths.isEmpty { throw UsageError("--flags FILE is missing") }
    try format.check(documents: paths.count)
  }

  func seconds(on terminal: Terminal) -> Int64 { timestamp ?? terminal.now() }

  func files(on terminal: Terminal) throws(ToolError) -> [File] {
    var files: [File] = []
    for path in paths { files.append(try File(reading: path, format: format.format, on: terminal)) }
    return files
  }
}

extension DocumentSource.File {
  init(
    reading path: String, format: any DefinitionFormat = .inHouse, on terminal: Terminal
  ) throws(ToolError) {
    let data = try terminal.contents(of: path)
    do throws(FlagDocumentError) {
      self.init(path: path, data: data, document: try format.read(Array(data), of: nil))
    } catch {
      throw .document(path: path, error.diagnostics)
    }
  }

  /// The diagnostics of single flags, those of malformed ones first; the other flags are served.
  var failure: ToolError {
    let found = document.diagnostics
    return .document(path: path, found.filter { $0.severity == .error } + found.filter { $0.severity == .warning })
  }
}

extension [DocumentSource.File] {
  /// Returns the documents merged into one, in which the later of two flags with the same key wins; nil if there are no
  /// documents.
  func merged() throws(ToolError) -> (any DefinitionDocument)? {
    guard count > 1 else { return first?.document }
    let parts = map { file in
      let text = [UInt8](file.data)
      return StoredDefinitions(file.document, text: text, version: DefinitionVersion(of: text))
    }
    return try mapError(
      try StoredDefinitions(merging: parts).document, ToolError.document(path: map(\.path).joined(separator: ", ")))
  }
}

// MARK: - Options of single commands

extension Option {
  static func timestamp(_ property: Property<Int64?>) -> Self {
    Self(
      "--timestamp", .time, "the time for rules, as 2027-01-15T08:00:00Z or seconds since 1970 (default: now)", property
    )
  }

  static func json(_ property: Property<Bool>) -> Self {
    Self("--json", "writes JSON of version 1, not text", property)
  }

  static func today(_ property: Property<CalendarDay?>) -> Self {
    Self("--today", .day, "the day to compare with, such as 2027-01-31 (default: today in UTC)", property)
  }
}

import FlagDefinitions
import FlagDomain

/// The documents that a command uses, with their settings: options that several commands share.
struct DocumentSource: OptionGroup {
  private(set) var paths: [String] = []
  private var fleet = FleetOptions()
  private var format = FormatOptions()
  private var timestamp: Int64?

  static var options: [Option<Self>] {
    Option(
      "--flags", .file,
      """
      the document; a later document's flag replaces an earlier one with the same key, and rules
      can use only the evaluators of their own document
      """, addingTo: \.paths)
    FleetOptions.options.of(\.fleet)
    FormatOptions.options.of(\.format)
    Option.timestamp(\.timestamp)
  }

  func check() throws(UsageError) {
    try fleet.checkSets(orFiles: paths, format)
  }

  func seconds(on terminal: Terminal) -> Int64 { timestamp ?? terminal.now() }

  /// Reads the documents; the diagnostics of single flags are not reported.
  func definitions(on terminal: Terminal) throws(ToolError) -> [NamedDefinitions] {
    var documents = try terminal.definitions(at: paths, format: format.format)
    for (name, text) in try fleet.currentTexts(on: terminal) {
      documents.append((name, try terminal.definitions(in: text, name, format: format.format)))
    }
    return documents
  }
}

/// Definitions with the path of their file, or the name of their set.
typealias NamedDefinitions = (name: String, definitions: StoredDefinitions)

extension Terminal {
  /// Reads documents; the diagnostics of single flags are not reported.
  func definitions(
    at paths: [String], format: any DefinitionFormat = .inHouse
  ) throws(ToolError) -> [NamedDefinitions] {
    var documents: [NamedDefinitions] = []
    for path in paths {
      let text = Array(try contents(of: path))
      let definitions = try mapError(
        try StoredDefinitions(parsing: text, format: format), ToolError.document(path: path))
      documents.append((path, definitions))
    }
    return documents
  }

  /// Reads a document, and reports its malformed flags.
  func definitions(
    at path: String, format: any DefinitionFormat = .inHouse
  ) throws(ToolError) -> StoredDefinitions {
    try definitions(in: Array(try contents(of: path)), path, format: format)
  }

  /// Parses a document, and reports its malformed flags.
  func definitions(
    in text: [UInt8], _ name: String, format: any DefinitionFormat
  ) throws(ToolError) -> StoredDefinitions {
    let stored = try mapError(try StoredDefinitions(parsing: text, format: format), ToolError.document(path: name))
    print(.document(path: name, stored.document.diagnostics))
    return stored
  }
}

extension [NamedDefinitions] {
  /// Returns the documents merged into one, in which the later of two flags with the same key wins.
  func merged() throws(ToolError) -> any DefinitionDocument {
    if count == 1 { return self[0].definitions.document }
    let names = map(\.name).joined(separator: ", ")
    return try mapError(
      try StoredDefinitions(merging: map(\.definitions)).document, ToolError.document(path: names))
  }

  /// Returns the document that defines a flag: the last one that has it.
  func defining(_ flag: String) -> NamedDefinitions? {
    last { $0.definitions.document.listing(of: flag) != nil }
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

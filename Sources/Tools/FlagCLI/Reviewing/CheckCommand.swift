import FlagDefinitions
import FlagDomain
import FlagReview
import FlagSupport

struct CheckCommand: Command {
  private var catalogs: [String] = []
  private var today: CalendarDay?
  private var allowed: [CatalogMismatch.Kind] = []
  private var review = ReviewOptions()

  private static let kinds = CatalogMismatch.Kind.allCases.map(\.rawValue)

  static var options: [Option<Self>] {
    Option(
      "--catalog", .file,
      "a manifest by FlagCatalog.manifest(of:) or the OpenFeature CLI; may be given several times",
      addingTo: \.catalogs)
    Option(
      "--allow", .choice(called: "KIND"),
      """
      a kind of mismatch to ignore: \(kinds.prefix(3).joined(separator: ", ")),
      \(kinds.dropFirst(3).joined(separator: " or ")); may be given several times
      """, addingTo: \.allowed)
    Option.today(\.today)
    ReviewOptions.options.of(\.review)
  }

  static let summary = """
    Lists expired flags, with their owners: those whose metadata has a past day under "expires", and retired flags whose
    day under "gone" is over. With a catalog, also compares documents with the flags that code declares: flags that only
    one of both has, and variants that are not of the flag's type or not among its cases.
    """
  static let usage = "check FILE... [--catalog FILE] [option ...]"
  static let example = "check flags.json --catalog catalog.json"
  static let fileOperands = 1
  static let notes = """
    A flag may be in any of the documents. The exit code is 1 if there is a mismatch, an expired flag or a malformed one.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) { try review.finish(operands) }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let today = today ?? CalendarDay(seconds: terminal.now())
    let declared = catalogs.isEmpty ? nil : try terminal.manifest(at: catalogs)
    var documents: [NamedDefinitions] = []
    var files: Set<String> = []
    let isComplete = try review.forEach(on: terminal) { document throws(ToolError) in
      let definitions = try terminal.definitions(in: document.text, document.name, format: .inHouse)
      documents.append((document.name, definitions))
      if document.isFile { files.insert(document.name) }
    }
    guard isComplete else { return .data }
    let all =
      declared?.manifest.mismatches(with: documents, on: today)
      ?? documents.flatMap { CatalogMismatch.expired(in: $0.definitions, named: $0.name, on: today) }
    let mismatches = all.filter { !allowed.contains($0.kind) }
    func catalog(of mismatch: CatalogMismatch) -> String? { mismatch.file == nil ? declared?.paths[mismatch.key] : nil }
    try review.print(
      text: { mismatches.map { "\(catalog(of: $0).map { "\($0): " } ?? "")\($0)" }.text },
      json: { ["version": 1, "mismatches": .array(mismatches.map(\.json))] },
      findings: { mismatches.map { $0.finding(in: catalog(of: $0), files) } }, on: terminal)
    let hasMalformed = documents.contains { $0.definitions.document.diagnostics.contains { $0.severity == .error } }
    return mismatches.isEmpty && !hasMalformed ? .success : .data
  }
}

extension CatalogMismatch {
  fileprivate var json: FlagValue {
    FlagValue([
      "kind": kind.rawValue, "key": key, "message": message, "file": file, "line": line, "column": column,
    ])
  }

  /// Returns the finding: one in the code is at the beginning of the catalog's file, and one in a set has no place.
  fileprivate func finding(in catalog: String?, _ files: Set<String>) -> Finding {
    let path = file.map { files.contains($0) ? $0 : nil } ?? catalog
    let message = "\(key.excerpt): \(message)"
    return Finding(
      rule: kind.rawValue, severity: kind == .expired ? .warning : .error,
      place: path.map { Finding.Place(file: $0, line: line ?? 1, column: column ?? 1) },
      message: path == nil ? "\(file ?? ""): \(message)" : message)
  }
}

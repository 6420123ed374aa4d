import FlagDefinitions
import FlagDomain
import FlagReview
import FlagSupport

struct CheckCommand: Command {
  private var files: [String] = []
  private var catalogs: [String] = []
  private var today: CalendarDay?
  private var allowed: [CatalogMismatch.Kind] = []
  private var report = ReportOptions()

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
    ReportOptions.options.of(\.report)
  }

  static let summary = """
    Compares documents with the flags that code declares: flags that only one of both has, variants that are not of the
    flag's type or not among its cases, and expired flags.
    """
  static let usage = "check --catalog FILE FILE... [option ...]"
  static let notes = """
    A flag may be in any of the documents. The exit code is 1 if there is a mismatch, or a malformed flag.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    if catalogs.isEmpty { throw UsageError("--catalog FILE is missing") }
    try report.check()
    files = try operands.some("FILE")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let declared = try terminal.manifest(at: catalogs)
    var documents: [NamedDefinitions] = []
    for file in files { documents.append((file, try terminal.definitions(at: file))) }
    let mismatches = declared.manifest.mismatches(with: documents, on: today ?? CalendarDay(seconds: terminal.now()))
      .filter { !allowed.contains($0.kind) }
    func path(_ mismatch: CatalogMismatch) -> String? {
      mismatch.file == nil ? declared.paths[mismatch.key] : nil
    }
    try report.print(
      text: { mismatches.map { "\(path($0).map { "\($0): " } ?? "")\($0)" }.text },
      json: { ["version": 1, "mismatches": .array(mismatches.map(\.json))] },
      findings: { mismatches.map { $0.finding(in: path($0)) } }, on: terminal)
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

  /// Returns the finding; one in the code is at the beginning of the catalog's file.
  fileprivate func finding(in catalog: String?) -> Finding {
    Finding(
      rule: kind.rawValue, severity: kind == .expired ? .warning : .error,
      place: (file ?? catalog).map { Finding.Place(file: $0, line: line ?? 1, column: column ?? 1) },
      message: "\(key.excerpt): \(message)")
  }
}

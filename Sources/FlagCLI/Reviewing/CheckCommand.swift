import FlagDefinitions
import FlagDomain
import FlagReview

struct CheckCommand: Command {
  private var files: [String] = []
  private var catalog: String?
  private var today: CalendarDay?
  private var allowed: [CatalogMismatch.Kind] = []
  private var isJSON = false

  private static let kinds = CatalogMismatch.Kind.allCases.map(\.rawValue)

  static var options: [Option<Self>] {
    Option(
      "--catalog", .file, "a manifest by FlagCatalog.manifest(of:) or the OpenFeature CLI",
      \.catalog)
    Option(
      "--allow", .choice(called: "KIND"),
      """
      a kind of mismatch to ignore: \(kinds.prefix(3).joined(separator: ", ")),
      \(kinds.dropFirst(3).joined(separator: " or ")); may be given several times
      """, addingTo: \.allowed)
    Option.today(\.today)
    Option.json(\.isJSON)
  }

  static let help = """
    Compares documents with the flags that code declares: flags that only one of both has, variants that are not of the
    flag's type or not among its cases, and expired flags.

    usage: flagctl check --catalog FILE FILE... [option ...]

    \(options.help())

    A flag may be in any of the documents. The exit code is 1 if there is a mismatch, or a malformed flag.

    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    if catalog == nil { throw UsageError("--catalog FILE is missing") }
    files = try operands.some("FILE")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let path = catalog ?? ""
    let manifest = try terminal.manifest(at: path)
    var documents: [(name: String, definitions: StoredDefinitions)] = []
    for file in files { documents.append((file, try terminal.definitions(at: file))) }
    let mismatches = manifest.mismatches(with: documents, on: today ?? CalendarDay(seconds: terminal.now()))
      .filter { !allowed.contains($0.kind) }
    let json: FlagValue = ["version": 1, "mismatches": .array(mismatches.map(\.json))]
    let lines = mismatches.map { "\($0.file == nil ? "\(path): " : "")\($0)\n" }.joined()
    try terminal.print(isJSON ? "\(json.printed)\n" : lines)
    let hasMalformed = documents.contains { !$0.definitions.document.diagnostics.isEmpty }
    return mismatches.isEmpty && !hasMalformed ? .success : .data
  }
}

extension CatalogMismatch {
  fileprivate var json: FlagValue {
    FlagValue([
      "kind": kind.rawValue, "key": key, "message": message, "file": file, "line": line, "column": column,
    ])
  }
}

import FlagDefinitions
import FlagDomain
import FlagEditing
import FlagReview

struct ExplainCommand: Command {
  private var source = DocumentSource()
  private var flag = ""
  private var user: [String: FlagValue]?
  private var isJSON = false

  static var options: [Option<Self>] {
    DocumentSource.options.of(\.source)
    Option("--user", .attributes(), "the user who asks, as id=ana,country=es or JSON (default: nobody)", \.user)
    Option.json(\.isJSON)
  }

  static let summary = """
    Explains a flag: who gets what; or for one user, the conditions with their results. Problems of the flag are named.
    """
  static let usage = "explain FLAG [--user USER] [option ...]"
  static let example = "explain new-page --user id=ana,country=es --flags flags.json"
  static let notes = "The exit code is 1 if the flag is missing or cannot be evaluated."

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try source.check()
    flag = try operands.one("FLAG")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let (explanation, file, receivers) = try explain(on: terminal)
    let found = file.map { $0.vendorDiagnostics ?? FlagDocument.diagnostics(in: $0.text, of: flag) } ?? []
    let diagnostics = found.map { ExplanationReport.FileDiagnostic(file: file?.path ?? "", diagnostic: $0) }
    let report = ExplanationReport(
      explanation: explanation, diagnostics: diagnostics, isOfVendor: file?.vendorDiagnostics != nil,
      receivers: user == nil ? receivers : nil)
    try terminal.print(isJSON ? "\(report.json.printed)\n" : report.text)
    return explanation.error == nil ? .success : .data
  }

  /// The file that defines the flag, with the diagnostics of the flag if its format is a vendor's.
  private typealias DefiningFile = (path: String, text: [UInt8], vendorDiagnostics: [DocumentDiagnostic]?)

  /// Returns the explanation of the flag's value, the file that defines the flag, and who gets what in words.
  ///
  /// The loaded documents are released here: the diagnostics come from a second read of the file, which takes as much
  /// memory again.
  private func explain(
    on terminal: Terminal
  ) throws(ToolError) -> (explanation: FlagExplanation, file: DefiningFile?, receivers: String?) {
    let documents = try source.definitions(on: terminal)
    let context = EvaluationContext(attributes: user ?? [:])
    let seconds = source.seconds(on: terminal)
    var explanation = try documents.merged().explain(flag, in: context, at: seconds)
    if explanation.answer == nil, explanation.error == nil {
      explanation.error = FlagError(.flagNotFound, "no flag is named \(flag.excerpt)")
    }
    let file = documents.defining(flag).map { path, definitions in
      let isInHouse = definitions.document is FlagDocument
      let found = isInHouse ? nil : definitions.document.diagnostics.filter { $0.concerns(flag) }
      return DefiningFile(path, definitions.text, found)
    }
    return (explanation, file, documents.defining(flag)?.definitions.document.receivers(of: flag, at: seconds))
  }
}

extension DefinitionDocument {
  /// The variants of a flag and their receivers, in words; nil if its format has no rules that can be shown, or the
  /// flag is malformed.
  fileprivate func receivers(of key: String, at seconds: Int64) -> String? {
    guard let document = self as? FlagDocument, case .flag(let flag)? = document.flags[key] else { return nil }
    if !flag.isEnabled { return "everyone gets the code's default: the flag is off" }
    let rest = flag.defaultVariant.map(\.excerpt) ?? "the code's default"
    guard let root = flag.root else { return "everyone gets \(rest)" }
    let rule = RuleExplanation.words(ofRule: flag.program.json(root, atMost: 2000), at: seconds)
    return "\(rule); anyone else gets \(rest)"
  }
}

import FlagProviders

/// Writes what is wrong with documents.
struct ValidateCommand {
  let files: [String]
  let terminal: Terminal

  func run() -> ExitCode {
    files.map(validate).contains(false) ? .data : .success
  }

  /// Returns whether a file's document has no errors.
  private func validate(_ path: String) -> Bool {
    guard let data = terminal.contents(of: path) else { return false }
    let findings = FlagDocument.findings(in: data)
    for finding in findings { terminal.write("\(path):\(finding)\n") }
    let isValid = !findings.contains { $0.severity == .error }
    if isValid { terminal.write("\(path): valid\n") }
    return isValid
  }
}

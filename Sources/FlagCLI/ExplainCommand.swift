import FlagDomain
import FlagProviders

/// Writes how a flag's value comes about.
struct ExplainCommand {
  let options: Command.Explain
  let terminal: Terminal

  func run() -> ExitCode {
    guard let document = terminal.document(options.source), let context else { return .data }
    var explanation = document.explain(
      options.flag, in: context, at: options.source.timestamp ?? terminal.now())
    if explanation.answer == nil, explanation.error == nil {
      explanation.error = FlagError(.flagNotFound, "no flag is called \(options.flag)")
    }
    terminal.write(options.isJSON ? "\(explanation.json)\n" : explanation.text)
    return explanation.error == nil ? .success : .data
  }

  /// The context, or nil after writing why there is none.
  private var context: EvaluationContext? {
    do {
      return try EvaluationContext(json: FlagValue(json: Array(options.context.utf8)))
    } catch let error as FlagError {
      terminal.writeError("flagctl: --\(error.message)\n")
    } catch {
      terminal.writeError("flagctl: --context: \(error)\n")
    }
    return nil
  }
}

import FlagDefinitions
import FlagDomain

/// A shell that completes command lines.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// Writes a script by which a shell completes the tool's command lines.
struct CompletionsCommand: Command {
  private let shell: Shell

  static let options: [CommandOption] = []

  static let help = """
    Writes a script that completes commands, options and their values in a shell.

    usage: flagctl completions bash|zsh|fish

    To try it:
      bash   source <(flagctl completions bash)
      zsh    source <(flagctl completions zsh), after compinit; or into a file _flagctl in a folder of $fpath
      fish   flagctl completions fish | source

    """

  init(parsing arguments: Arguments) throws(UsageError) {
    var arguments = arguments
    var name: String?
    while let word = try arguments.next() {
      let operand = try arguments.operand(word)
      if name != nil { throw UsageError("unknown argument \(operand.excerpt)") }
      name = operand
    }
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name else { throw UsageError("a shell is missing: one of \(names)") }
    guard let shell = Shell(rawValue: name) else {
      throw UsageError("expected one of the shells \(names), found \(name.excerpt)")
    }
    self.shell = shell
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let script =
      switch shell {
      case .bash: CompletionScript.bash
      case .zsh: CompletionScript.zsh
      case .fish: CompletionScript.fish
      }
    try terminal.print(script)
    return .success
  }
}

import FlagDomain

enum Shell: String, CaseIterable, Sendable {
  case bash, zsh
}

struct CompletionsCommand: Command {
  private var shell = Shell.bash

  static var options: [Option<Self>] { [] }

  static let summary = "Prints a script that completes commands, options and their values in a shell."
  static let usage = "completions bash|zsh"
  static let notes = """
    To try it:
      bash   source <(flagctl completions bash)
      zsh    source <(flagctl completions zsh), after compinit; or into a file _flagctl in a folder of $fpath
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try operands.check(atMost: 1)
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = operands.words.first else { throw UsageError("a shell is missing: one of \(names)") }
    guard let shell = Shell(rawValue: name) else {
      throw UsageError("expected one of the shells \(names), found \(name.excerpt)")
    }
    self.shell = shell
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    switch shell {
    case .bash: try terminal.print(CompletionScript.bash)
    case .zsh: try terminal.print(CompletionScript.zsh)
    }
    return .success
  }
}

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

/// Scripts that complete command lines, generated from the table of commands and their options.
enum CompletionScript {
  /// The option that the tool and every command have.
  private static let help = OptionDescription(name: "--help", placeholder: nil, words: "shows the help")

  private static func options(of entry: CommandEntry) -> [OptionDescription] { entry.type.listedOptions + [help] }

  // MARK: - bash

  static var bash: String {
    """
    # Completes command lines of flagctl in bash.
    _flagctl() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=
      COMPREPLY=()
      # A sign between an option and its value is a word of its own.
      if [[ $word == = ]]; then
        word=
      elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
      fi
      if [[ $COMP_CWORD -eq 1 ]]; then
        words="\((CommandEntry.all.map(\.name) + [help.name]).joined(separator: " "))"
      else
        case "${COMP_WORDS[1]} $previous" in
    \(CommandEntry.all.flatMap(bashValues).joined(separator: "\n"))
          *)
            case "${COMP_WORDS[1]}" in
    \(CommandEntry.all.map(bashOptions).joined(separator: "\n"))
            esac
            ;;
        esac
      fi
      COMPREPLY=($(compgen -W "$words" -- "$word"))
    }
    complete -o default -F _flagctl flagctl

    """
  }

  private static func bashValues(_ entry: CommandEntry) -> [String] {
    entry.type.listedOptions.compactMap { option in
      let pattern = "      \"\(entry.name) \(option.name)\")"
      return switch option.placeholder {
      case nil: nil
      // Without a reply, bash completes files.
      case .file?, .files?: "\(pattern) return ;;"
      case .choice(let choices)?: "\(pattern) words=\"\(choices.joined(separator: " "))\" ;;"
      case .text?: "\(pattern) compopt +o default 2>/dev/null; return ;;"
      }
    }
  }

  private static func bashOptions(_ entry: CommandEntry) -> String {
    let names = options(of: entry).map(\.name).joined(separator: " ")
    let operands = entry.operands.isEmpty ? "return" : "words=\"\(entry.operands.joined(separator: " "))\""
    return "          \(entry.name)) if [[ $word == -* ]]; then words=\"\(names)\"; else \(operands); fi ;;"
  }

  // MARK: - zsh

  /// The script for zsh, which works both as a file in a function folder and when it is sourced.
  static var zsh: String {
    let entries = CommandEntry.all
    let commands = entries.map { "    '\($0.name):\(quoted($0.summary))'" }.joined(separator: "\n")
    return """
      #compdef flagctl
      # Completes command lines of flagctl in zsh.
      _flagctl() {
        local -a commands
        commands=(
      \(commands)
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
      \(entries.map(zshArguments).joined(separator: "\n"))
        esac
      }
      if [[ $funcstack[1] == _flagctl ]]; then
        _flagctl "$@"
      else
        compdef _flagctl flagctl
      fi

      """
  }

  private static func zshArguments(_ entry: CommandEntry) -> String {
    let specifications = options(of: entry).map { option in
      let words = quoted(bracketed(option.summary))
      return switch option.placeholder {
      case nil: "'\(option.name)[\(words)]'"
      case .file?, .files?: "'*\(option.name)=[\(words)]:file:_files'"
      case .choice(let choices)?: "'*\(option.name)=[\(words)]:value:(\(choices.joined(separator: " ")))'"
      case .text(let name)?: "'*\(option.name)=[\(words)]:\(quoted(bracketed(name))): '"
      }
    }
    let operands = entry.operands.isEmpty ? "'*:file:_files'" : "'1:operand:(\(entry.operands.joined(separator: " ")))'"
    return "    \(entry.name)) _arguments \((specifications + [operands]).joined(separator: " ")) ;;"
  }

  /// Returns a text with the characters escaped that end a description in an argument's specification.
  private static func bracketed(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:")
  }

  private static func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
}

extension OptionDescription {
  fileprivate var summary: String { words.replacing("\n", with: " ") }
}

import FlagDefinitions
import FlagSupport
import FlagDomain

enum Shell: String, CaseIterable, Sendable {
  case bash, zsh
}

struct CompletionsCommand: Command {
  private var operands: [String] = []

  static var options: [Option<Self>] { [] }

  static let summary = "Prints a script that completes commands, options, flags and variants in a shell."
  static let usage = "completions bash|zsh"
  static let example = "completions zsh > ~/.zsh/functions/_flagctl"
  static let notes = """
    To try it:
      bash   source <(flagctl completions bash)
      zsh    source <(flagctl completions zsh), after compinit
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    self.operands = operands.words
    if self.operands.first == CompletionScript.words { return }
    try operands.check(atMost: 1)
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = self.operands.first else { throw UsageError("a shell is missing: one of \(names)") }
    if Shell(rawValue: name) == nil { throw UsageError("expected one of the shells \(names), found \(name.excerpt)") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    switch Shell(rawValue: operands[0]) {
    case .bash?: try terminal.print(CompletionScript.bash)
    case .zsh?: try terminal.print(CompletionScript.zsh)
    case nil: try terminal.print(candidates(operands.dropFirst().filter { $0 != "=" }, on: terminal).text)
    }
    return .success
  }

  /// Returns the words that may follow others on a command line, apart from options and files: flags and variants.
  private func candidates(_ line: [String], on terminal: Terminal) throws(ToolError) -> [String] {
    switch line.first {
    case "completions": return line.count == 1 ? Shell.allCases.map(\.rawValue) : []
    case "help": return line.count == 1 ? CommandEntry.all.map(\.name) + ["options"] : []
    default: break
    }
    guard let command = CommandEntry.all.first(where: { $0.name == line.first })?.type else { return [] }
    let names = command.usage.prefix { $0 != "\n" }.split(separator: " ").dropFirst()
    guard names.first?.hasPrefix("FLAG") == true else { return [] }
    var (operands, paths) = ([String](), try Settings(on: terminal).values["--flags"]?.texts ?? [])
    var takesVariant = names.dropFirst().first?.hasPrefix("VARIANT") == true
    var words = line.dropFirst()
    while let word = words.popFirst() {
      guard let option = command.listedOptions.first(where: { $0.name == word }) else {
        operands.append(word)
        continue
      }
      guard let placeholder = option.placeholder else { continue }
      if words.isEmpty { takesVariant = placeholder.text == "VARIANT" }
      if let value = words.popFirst(), word == "--flags" { paths = [value] }
    }
    let documents = try terminal.definitions(at: paths).map(\.definitions.document)
    guard let flag = operands.first else { return documents.flatMap(\.keys) }
    return takesVariant ? documents.compactMap { $0.listing(of: flag) }.flatMap { $0.variants.map(\.name) } : []
  }
}

/// Scripts that complete command lines, generated from the table of commands and their options.
enum CompletionScript {
  /// The operand of `flagctl completions` before a command line whose next word is asked for.
  static let words = "words"
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
        words="\((CommandEntry.all.map(\.name) + ["help", help.name, "--version"]).joined(separator: " "))"
      else
        case "${COMP_WORDS[1]} $previous" in
    \(CommandEntry.all.flatMap(bashValues).joined(separator: "\n"))
          *)
            case "${COMP_WORDS[1]}" in
    \(CommandEntry.all.map(bashOptions).joined(separator: "\n"))
              help) \(asks) ;;
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
      case .text("VARIANT")?: "\(pattern) \(asks) ;;"
      case .text?: "\(pattern) compopt +o default 2>/dev/null; return ;;"
      }
    }
  }

  private static func bashOptions(_ entry: CommandEntry) -> String {
    let names = options(of: entry).map(\.name).joined(separator: " ")
    return "          \(entry.name)) if [[ $word == -* ]]; then words=\"\(names)\"; else \(asks); fi ;;"
  }

  /// Asks the tool for flags and variants; without a reply, bash completes files.
  private static let asks =
    #"words=$("$COMP_WORDS" completions \#(words) -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"#

  // MARK: - zsh

  /// The script for zsh, which works both as a file in a function folder and when it is sourced.
  static var zsh: String {
    let entries = CommandEntry.all
    let commands = entries.map { "    '\($0.name):\(quoted($0.summary))'" }.joined(separator: "\n")
    return """
      #compdef flagctl
      # Completes command lines of flagctl in zsh.
      _flagctl_words() {
        local -a found
        found=(${(f)"$($line_words[1] completions \(words) -- "${(@)line_words[2,-1]}" "$@" 2>/dev/null)"})
        if (( $#found )); then compadd -a found; else _files; fi
      }
      _flagctl() {
        local -a commands
        commands=(
      \(commands)
        'help:the commands, or one of them'
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        local -a line_words=("${(@)words[1,CURRENT-1]}")
        shift words
        (( CURRENT-- ))
        case $command in
      \(entries.map(zshArguments).joined(separator: "\n"))
        help) _arguments '*:word:{_flagctl_words}' ;;
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
      case .text("VARIANT")?: "'*\(option.name)=[\(words)]:variant:{_flagctl_words \(option.name)}'"
      case .text(let name)?: "'*\(option.name)=[\(words)]:\(quoted(bracketed(name))): '"
      }
    }
    return "    \(entry.name)) _arguments \((specifications + ["'*:word:{_flagctl_words}'"]).joined(separator: " ")) ;;"
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

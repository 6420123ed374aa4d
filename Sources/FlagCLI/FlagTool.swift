import Foundation

/// The command-line tool for documents of feature flags.
public struct FlagTool: Sendable {
  private let terminal: Terminal

  /// Creates the tool.
  public init(terminal: Terminal) { self.terminal = terminal }

  /// Runs what a command line asks for, the program's name left out, and returns the exit code.
  public func run(_ words: [String]) -> Int32 {
    do {
      return run(try Command(words)).rawValue
    } catch {
      terminal.writeError("flagctl: \(error.message)\n")
      return ExitCode.usage.rawValue
    }
  }

  /// Runs what this process was asked for, and ends it.
  public static func main() -> Never {
    exit(FlagTool(terminal: .standard).run(Array(CommandLine.arguments.dropFirst())))
  }

  private func run(_ command: Command) -> ExitCode {
    switch command {
    case .help(let topic):
      terminal.write(Help.text(for: topic))
      return .success
    case .validate(let files): return ValidateCommand(files: files, terminal: terminal).run()
    case .evaluate(let options): return EvaluateCommand(options: options, terminal: terminal).run()
    case .explain(let options): return ExplainCommand(options: options, terminal: terminal).run()
    case .expired(let options): return ExpiredCommand(options: options, terminal: terminal).run()
    }
  }
}

/// What the tool tells the shell.
enum ExitCode: Int32 {
  case success = 0
  case data = 1
  case usage = 64
}

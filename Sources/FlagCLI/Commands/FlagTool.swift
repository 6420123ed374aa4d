import FlagDefinitions
import FlagDomain
import Foundation

/// The command-line tool for documents of feature flags.
///
/// A command is parsed from the words of a command line, run on a terminal, and what it found is rendered as text.
public struct FlagTool: Sendable {
  private let terminal: Terminal

  /// Creates the tool.
  public init(terminal: Terminal) { self.terminal = terminal }

  /// Runs what a command line asks for, the program's name left out, and returns the exit code.
  public func run(_ words: [String]) -> Int32 {
    do throws(ToolError) {
      return try run(Request(parsing: words)).rawValue
    } catch {
      terminal.print(error)
      return error.exitCode.rawValue
    }
  }

  /// Runs what this process was asked for, and ends it.
  public static func main() -> Never {
    Terminal.prepareStandardStreams()
    Terminal.raiseDescriptorLimit()
    exit(FlagTool(terminal: .standard).run(Array(CommandLine.arguments.dropFirst())))
  }

  private func run(_ request: Request) throws(ToolError) -> ExitCode {
    switch request {
    case .help(let text):
      try terminal.print(text)
      return .success
    case .command(let command): return try command.run(on: terminal)
    }
  }
}

private enum Request {
  case help(String)
  case command(any Command)

  init(parsing words: [String]) throws(ToolError) {
    guard let name = words.first else { throw .usage("a command is missing; see flagctl --help") }
    let asksForHelp = words.contains { ["--help", "-h"].contains($0) }
    guard let command = CommandEntry.all.first(where: { $0.name == name })?.type else {
      if asksForHelp, name.hasPrefix("-") {
        self = .help(Self.help)
        return
      }
      let names = CommandEntry.all.map(\.name).joined(separator: ", ")
      throw .usage("\(name.excerpt) is not one of the commands \(names); see flagctl --help")
    }
    do throws(UsageError) {
      self = asksForHelp ? .help(command.help) : .command(try command.init(parsing: words.dropFirst()))
    } catch {
      throw .usage("\(error.message); see flagctl \(name) --help")
    }
  }

  private static let help = """
    Checks, evaluates and explains feature flags in the in-house JSON format, and analyzes experiments with them.

    usage: flagctl COMMAND ...

    \(CommandEntry.help)
    flagctl COMMAND --help says more. A FILE is a path; it may be a pipe, such as /dev/stdin. A document has at most
    256 MiB.

    exit codes:
      0    all is well
      1    the data is wrong, or cannot be read
      2    what diff compares is not the same for all users
      3    servers do not run what fleet finds that they should
      64   the command line is wrong
      69   the system does not let the tool serve, or a store of published definitions gives no answer
      74   the output cannot be written
      75   someone else has published meanwhile

    """
}

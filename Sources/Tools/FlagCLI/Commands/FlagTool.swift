import FlagDomain
import Foundation

/// The command-line tool for documents of feature flags.
///
/// A command is parsed from the words of a command line and run on a terminal, and its results are rendered as text.
package struct FlagTool: Sendable {
  private let terminal: Terminal

  /// Creates the tool.
  package init(terminal: Terminal) { self.terminal = terminal }

  /// Runs a command line, without the program's name, and returns the exit code.
  package func run(_ words: [String]) -> Int32 {
    do throws(ToolError) {
      return try exitCode(of: words).rawValue
    } catch {
      terminal.print(error)
      return error.exitCode.rawValue
    }
  }

  /// Runs the command line of this process, and exits.
  package static func main() -> Never {
    Terminal.prepareStandardStreams()
    Terminal.raiseDescriptorLimit()
    exit(FlagTool(terminal: .standard).run(Array(CommandLine.arguments.dropFirst())))
  }

  private func exitCode(of words: [String]) throws(ToolError) -> ExitCode {
    guard let name = words.first else { throw .usage("a command is missing; see flagctl --help") }
    let asksForHelp = words.prefix { $0 != "--" }.contains { ["--help", "-h"].contains($0) }
    let command = CommandEntry.all.first { $0.name == name }?.type
    if asksForHelp, let help = command?.help ?? (name.hasPrefix("-") ? Self.help : nil) {
      try terminal.print(help)
      return .success
    }
    guard let command else {
      let names = CommandEntry.all.map(\.name).joined(separator: ", ")
      throw .usage("\(name.excerpt) is not one of the commands \(names); see flagctl --help")
    }
    let parsed = try mapError(try command.init(parsing: words.dropFirst())) { (error: UsageError) in
      ToolError.usage("\(error.message); see flagctl \(name) --help")
    }
    return try parsed.run(on: terminal)
  }

  private static let help = """
    Checks, evaluates and explains feature flags in the in-house JSON format or a vendor's, and analyzes experiments.

    usage: flagctl COMMAND ...

    \(CommandEntry.help)
    flagctl COMMAND --help shows the options. A FILE is a path; one that is only read may be a pipe, such as /dev/stdin, or
    - for standard input. A document has at most 256 MiB. Words after -- are no options.

    exit codes:
      0    success
      1    the data is invalid, or cannot be read
      2    diff found differences for users, or convert chose shares anew
      3    fleet found servers that lag, fail, are absent, or share a name
      4    diff could not decide whether a change affects users
      64   the command line is invalid
      69   the port cannot be opened, or the store of published definitions is unavailable
      74   the output cannot be written
      75   conflict: someone else published first

    """
}

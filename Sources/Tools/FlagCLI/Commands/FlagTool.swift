import FlagDomain
import FlagFoundation
import FlagServer
import FlagSupport

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
    guard let first = words.first else { throw .usage("a command is missing; see flagctl help") }
    if first == "--version" {
      try terminal.print("flagctl \(PackageVersion.text)\n")
      return .success
    }
    let asksForHelp = first == "help" || words.prefix { $0 != "--" }.contains { ["--help", "-h"].contains($0) }
    let name = first == "help" ? words.dropFirst().first ?? "--help" : first
    let command = CommandEntry.all.first { $0.name == name }?.type
    if asksForHelp,
      let help = command?.help ?? (name == "options" ? Self.options : name.hasPrefix("-") ? Self.help : nil)
    {
      try terminal.print(help)
      return .success
    }
    guard let command else {
      let near = CommandEntry.closest(to: name).map { ": did you mean \($0)?" } ?? ""
      throw .usage("\(name.excerpt) is no command\(near); see flagctl help")
    }
    let settings = try Settings(on: terminal)
    let (parsed, set) = try mapError(try Self.parse(command, words.dropFirst(), settings)) { (error: UsageError) in
      ToolError.usage("\(error.message); see flagctl \(name) --help")
    }
    var terminal = terminal
    // Otherwise the author of the file would get the password of the person who runs the command.
    terminal.trustsCluster = !set.contains("--etcd") || settings.values["--etcd"]?.isOfFile != true
    return try parsed.run(on: terminal)
  }

  private static func parse<Parsed: Command>(
    _ type: Parsed.Type, _ words: some Sequence<String>, _ settings: Settings
  ) throws(UsageError) -> (any Command, set: Set<String>) {
    try type.parsing(words, settings)
  }

  private static let help = """
    usage: flagctl COMMAND [FLAG] --flags FILE [option ...]

    \(CommandEntry.help)
    flagctl help COMMAND   its options, and an example
    flagctl help options   where flags are; what many commands have; exit codes

    """

  private static let options = """
    \("""
    Flags are in a file, --flags FILE, or in a set that servers share in etcd, --etcd URL --set NAME. A file that is
    only read may be a pipe, or - for standard input. Words after -- are no options.
    """.filled())

    \(FormatOptions.options.help(all: true))
    \(FleetOptions.options.help(all: true))

    \("""
    What you would type each time is in the file .flagctl.json of the folder, such as {"flags": "flags.json", "author":
    "ana"}: \(Settings.fileOptions.map { String($0.dropFirst(2)) }.joined(separator: ", ")). Options of flags and etcd
    may be in variables, too: FLAGCTL_FLAGS, FLAGCTL_SET, FLAGCTL_ETCD, FLAGCTL_ETCD_USER. FLAGCTL_ETCD_PASSWORD has the
    password, which no cluster gets that only the file names. What is typed comes first.
    """.filled())

    exit codes:
      0    success
      1    the data is invalid, or cannot be read
      2    diff found differences for users, or convert chose shares anew
      3    fleet found servers that lag, fail, are absent, or share a name
      4    diff could not decide whether a change affects users
      64   the command line is invalid
      69   the port cannot be opened, or etcd does not answer
      74   the output cannot be written
      75   conflict: someone else published first

    """
}

import FlagDomain

/// A type with command-line options, which commands may share.
protocol OptionGroup: Sendable {
  /// The options, in the order of help.
  @OptionsBuilder<Self> static var options: [Option<Self>] { get }

  init()
}

/// A command of the tool.
protocol Command: OptionGroup {
  /// The beginning of help: what the command does.
  static var summary: String { get }
  /// The command lines in help, without the tool's name, one on each line.
  static var usage: String { get }
  /// The end of help, after the options; empty by default.
  static var notes: String { get }

  /// Accepts the operands, and validates the command line as a whole.
  mutating func finish(_ operands: Operands) throws(UsageError)

  /// Runs the command, and returns its exit code.
  func run(on terminal: Terminal) throws(ToolError) -> ExitCode
}

extension Command {
  static var notes: String { "" }

  /// The text of `--help`.
  static var help: String {
    let usage = "usage: flagctl " + usage.replacing("\n", with: "\n       flagctl ")
    return [summary, usage, options.help(), notes].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// The options that help lists and shells complete.
  static var listedOptions: [OptionDescription] { options.filter(\.isListed).map(\.description) }

  /// Parses the words after the command's name.
  init(parsing words: some Sequence<String>) throws(UsageError) {
    self.init()
    let options = Self.options
    var arguments = Arguments(words)
    var operands: [String] = []
    // An option of several files, which further operands are added to.
    var files: Option<Self>?
    var given: Set<String> = []
    while let (word, isOption) = try arguments.next() {
      if isOption {
        guard let option = options.first(where: { $0.name == word }) else {
          throw UsageError("unknown option \(word.excerpt)")
        }
        try option.take(from: &arguments, into: &self)
        guard given.insert(word).inserted || option.isRepeatable || option.description.placeholder == nil else {
          throw UsageError("\(word) has one value, found a second one")
        }
        if case .files? = option.description.placeholder { files = option }
      } else if let files {
        try files.take(operand: word, into: &self)
      } else {
        operands.append(word)
      }
    }
    try finish(Operands(words: operands))
  }
}

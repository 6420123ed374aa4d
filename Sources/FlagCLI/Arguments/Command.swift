import FlagDomain

/// What commands share: some of their options.
protocol OptionGroup: Sendable {
  /// The options, in the order of help.
  @OptionsBuilder<Self> static var options: [Option<Self>] { get }

  init()
}

/// A command of the tool.
protocol Command: OptionGroup {
  /// What `--help` says of the command.
  static var help: String { get }

  /// Takes the operands, and validates the command line as a whole.
  mutating func finish(_ operands: Operands) throws(UsageError)

  /// Runs the command, and returns the exit code.
  func run(on terminal: Terminal) throws(ToolError) -> ExitCode
}

extension Command {
  /// The options that help lists and shells complete.
  static var listedOptions: [OptionDescription] { options.filter(\.isListed).map(\.description) }

  /// Reads the words after the command's name.
  init(parsing words: some Sequence<String>) throws(UsageError) {
    self.init()
    let options = Self.options
    var arguments = Arguments(words)
    var operands: [String] = []
    // An option of several files, to which the operands after it belong.
    var files: Option<Self>?
    while let word = try arguments.next() {
      if let option = options.first(where: { $0.name == word }) {
        try option.take(from: &arguments, into: &self)
        if case .files? = option.description.placeholder { files = option }
      } else if word.hasPrefix("-"), word != "-" {
        throw UsageError("unknown option \(word.excerpt)")
      } else if let files {
        try files.take(operand: word, into: &self)
      } else {
        operands.append(word)
      }
    }
    try finish(Operands(words: operands))
  }
}

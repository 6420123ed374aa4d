import FlagDomain
import FlagSupport

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
  /// A command line that shows the command at work, without the tool's name.
  static var example: String { get }
  /// The end of help, after the options; empty by default.
  static var notes: String { get }

  /// The use of settings that say where flags are; by default, those of the file, or else those of the set.
  static var settingsUse: Settings.Use { get }
  /// The number of FILE operands in place of the settings' file and set; by default there are none.
  static var fileOperands: Int { get }

  /// Accepts the operands, and validates the command line as a whole.
  mutating func finish(_ operands: Operands) throws(UsageError)

  /// Runs the command, and returns its exit code.
  func run(on terminal: Terminal) throws(ToolError) -> ExitCode
}

extension Command {
  static var notes: String { "" }
  static var settingsUse: Settings.Use { .fileOrSet }
  static var fileOperands: Int { .max }

  /// The text of `--help`.
  static var help: String {
    let lines = "usage: flagctl " + usage.replacing("\n", with: "\n       flagctl ") + "\nexample: flagctl \(example)"
    return [summary.filled(), lines, options.help(), notes.filled()].filter { !$0.isEmpty }.joined(separator: "\n\n")
      + "\n"
  }

  /// The options that help lists and shells complete.
  static var listedOptions: [OptionDescription] { options.filter(\.isListed).map(\.description) }

  /// Parses the words after the command's name; options that are not among them are as in the settings.
  ///
  /// - Returns: The command, and the names of the options that it has of the settings.
  static func parsing(
    _ words: some Sequence<String>, _ settings: Settings
  ) throws(UsageError) -> (command: Self, set: Set<String>) {
    var command = Self()
    let set = try command.parse(words, settings)
    return (command, set)
  }

  private mutating func parse(_ words: some Sequence<String>, _ settings: Settings) throws(UsageError) -> Set<String> {
    let options = Self.options
    var arguments = Arguments(words)
    var operands: [String] = []
    // An option of several files, which further operands are added to.
    var files: Option<Self>?
    var given: Set<String> = []
    while let (word, isOption) = try arguments.next() {
      if isOption {
        guard let option = options.first(where: { $0.name == word }) else {
          let names = options.filter(\.isListed).map(\.name)
          throw UsageError(
            "unknown option \(word.excerpt)\(names.closest(to: word).map { ": did you mean \($0)?" } ?? "")")
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
    var set: Set<String> = []
    for (name, value) in settings.values.sorted(by: { $0.key < $1.key }) {
      guard !given.contains(name), let option = options.first(where: { $0.name == name && $0.isListed }),
        Self.takes(name, from: settings, given, operands.count)
      else { continue }
      set.insert(name)
      do throws(UsageError) {
        guard value.texts.count <= 1 || option.isRepeatable else {
          throw UsageError("\(name) has one value, found \(value.texts.count)")
        }
        for text in value.texts { try option.take(operand: text, into: &self) }
      } catch {
        throw UsageError("\(value.source): \(error.message)")
      }
    }
    try finish(Operands(words: operands))
    return set
  }

  /// Returns whether an option of the settings applies: one command line is about a file or a set, and not both.
  private static func takes(_ name: String, from settings: Settings, _ given: Set<String>, _ operands: Int) -> Bool {
    let isOfSet = Settings.setOptions.contains(name)
    guard isOfSet || name == "--flags" else { return true }
    let namesFile = operands >= fileOperands
    switch settingsUse {
    case .none: return false
    case .both: return isOfSet || !namesFile
    case .fileOrSet: break
    }
    let namesSet = !given.isDisjoint(with: ["--etcd", "--set"])
    let hasFile = settings.values["--flags"] != nil && options.contains { $0.name == "--flags" }
    if !isOfSet { return !namesSet && !namesFile }
    return namesSet || !namesFile && !hasFile && !given.contains("--flags")
  }
}

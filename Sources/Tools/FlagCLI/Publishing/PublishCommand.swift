import FlagDefinitions
import FlagDomain
import FlagPublishing

struct PublishCommand: Command {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var file: String?

  static var options: [Option<Self>] {
    Option("--flags", .file, "the document, instead of FILE", \.file)
    FleetOptions.options.of(\.fleet)
    PublishOptions.options.of(\.publishing)
  }

  static let summary = """
    Publishes a document to the servers of a set, or to a share of them, after showing the effect on users.
    """
  static let usage = "publish FILE --etcd URL --set NAME [option ...]"
  static let example = "publish flags.json --etcd https://etcd:2379 --set production"
  static let settingsUse = Settings.Use.both
  static let fileOperands = 1
  static let notes = """
    A document with an error is refused. If someone else published after the comparison, nothing is published, their
    changes are shown, and the exit code is 75. A document without some flags of the current one is confirmed even with
    --yes, unless --expect names the revision that it replaces.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try fleet.checkSet()
    if !operands.words.isEmpty || file == nil { file = try operands.one("FILE") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let file = file ?? ""
    let text = Array(try terminal.contents(of: file))
    let set = try fleet.set(bucketing: publishing.bucketing, on: terminal)
    return try Publication(set: set, options: publishing, source: file).run(text)
  }
}

struct RestoreCommand: Command {
  private var change = ChangeOptions()
  private var revision = 0

  static var options: [Option<Self>] { ChangeOptions.restoreOptions.of(\.change) }

  static let summary = """
    Publishes the document of an earlier revision as a new one, or writes it, after showing the effect on users.
    """
  static let usage = "restore REVISION [option ...]"
  static let example = "restore 17 --etcd https://etcd:2379 --set production"
  static let notes = "Of a file, the revisions are the states that flagctl console --history keeps."

  mutating func finish(_ operands: Operands) throws(UsageError) {
    let text = try operands.one("REVISION")
    revision = try OptionValue.integer(in: 1...Int.max).read("REVISION", text)
    try change.check()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode { try change.goBack(to: revision, on: terminal) }
}

struct PromoteCommand: Command {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var origin: String?
  private var destination: String?

  static var options: [Option<Self>] {
    FleetOptions.clusterOptions.of(\.fleet)
    Option("--set", refusedWith: "--from SET and --to SET name the sets, found --set")
    Option("--from", .setName("SET"), "the set whose document is published, without its candidate", \.origin)
    Option("--to", .setName("SET"), "the set whose servers are to run it", \.destination)
    PublishOptions.options.of(\.publishing)
  }

  static let summary = """
    Publishes the document of one set to another, as from staging to production, after showing the effect on users.
    """
  static let usage = "promote --from SET --to SET --etcd URL [option ...]"
  static let example = "promote --from staging --to production --etcd https://etcd:2379"

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkCluster()
    guard let origin else { throw UsageError("--from SET is missing") }
    guard let destination else { throw UsageError("--to SET is missing") }
    if origin == destination { throw UsageError("--from and --to are two sets, found \(origin.excerpt) for both") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let from = try fleet.set(origin, bucketing: publishing.bucketing, on: terminal)
    let set = try fleet.set(destination, bucketing: publishing.bucketing, on: terminal)
    let (revision, text) = try from.currentText()
    return try Publication(
      set: set, options: publishing, source: from.title(ofRevision: revision),
      reason: "from \(from.name), revision \(revision)"
    ).run(text)
  }
}

import FlagDefinitions
import FlagDomain
import FlagPublishing

struct PublishCommand: Command {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var file = ""

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    PublishOptions.options.of(\.publishing)
  }

  static let summary = """
    Publishes a document to the servers of a set, or to a share of them, after showing the effect on users.
    """
  static let usage = "publish --etcd URL[,URL...] --set NAME FILE [option ...]"
  static let notes = """
    A document with an error is refused. If someone else published after the comparison, nothing is published, their
    changes are shown, and the exit code is 75. A document without some flags of the current one is confirmed even with
    --yes, unless --expect names the revision that it replaces.
    """

  mutating func finish(_ operands: Operands) throws(UsageError) {
    try fleet.checkSet()
    file = try operands.one("FILE")
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let text = Array(try terminal.contents(of: file))
    let set = try fleet.set(bucketing: publishing.bucketing, on: terminal)
    return try Publication(set: set, options: publishing, source: file).run(text)
  }
}

struct RollbackCommand: Command {
  private var change = ChangeOptions()
  private var revision = 0

  static var options: [Option<Self>] {
    Option("--to", .integer("REVISION", in: 1...Int.max), "the revision whose document is published again", \.revision)
    ChangeOptions.rollbackOptions.of(\.change)
  }

  static let summary = """
    Publishes the document of an earlier revision as a new one, or writes it, after showing the effect on users.
    """
  static let usage = ChangeOptions.usage("rollback --to REVISION")
  static let notes = "Of a file, the revisions are the states that flagctl console --history keeps."

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try change.check()
    if revision == 0 { throw UsageError("--to REVISION is missing") }
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
  static let usage = "promote --etcd URL[,URL...] --from SET --to SET [option ...]"

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

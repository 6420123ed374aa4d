import FlagDefinitions
import FlagDomain

/// Publishes a document to the servers of a set.
struct PublishCommand: Command {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var files: [String] = []

  static let options = FleetOptions.options + PublishOptions.options

  static let help = """
    Publishes a document to the servers of a set, or to a share of them: shows what that does to which users, and asks.

    usage: flagctl publish --etcd URL[,URL...] --set NAME FILE [option ...]

    \(options.help)

    A document with an error is refused. Where someone else has published since the document was compared, nothing is
    published, what they changed is shown, and the exit code is 75.

    """

  init(parsing arguments: Arguments) throws(UsageError) {
    var arguments = arguments
    while let word = try arguments.next() {
      if try fleet.take(word, from: &arguments) { continue }
      if try publishing.take(word, from: &arguments) { continue }
      files.append(try arguments.operand(word))
    }
    try fleet.checkSet()
    if files.isEmpty { throw UsageError("a FILE is missing") }
    if files.count > 1 { throw UsageError("one FILE is enough, found \(files[1].excerpt) as well") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let text = Array(try terminal.contents(of: files[0]))
    let set = try FleetSet(try fleet.address(on: terminal), on: terminal)
    return try Publication(set: set, options: publishing, source: files[0]).run(text)
  }
}

/// Publishes an earlier revision of a set again.
struct RollbackCommand: Command {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var revision = 0

  static let options =
    FleetOptions.options
    + [CommandOption("--to", .text("REVISION"), "the revision whose document is published again")]
    + PublishOptions.options

  static let help = """
    Publishes the document of an earlier revision as a new one: shows what that does to which users, and asks.

    usage: flagctl rollback --etcd URL[,URL...] --set NAME --to REVISION [option ...]

    \(options.help)

    """

  init(parsing arguments: Arguments) throws(UsageError) {
    var arguments = arguments
    while let word = try arguments.next() {
      if try fleet.take(word, from: &arguments) { continue }
      if try publishing.take(word, from: &arguments) { continue }
      guard word == "--to" else { throw UsageError("unknown argument \(word.excerpt)") }
      revision = try arguments.integer(of: word, in: 1...Int.max)
    }
    try fleet.checkSet()
    if revision == 0 { throw UsageError("--to REVISION is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try FleetSet(try fleet.address(on: terminal), on: terminal)
    let text = try set.text(of: revision)
    return try Publication(
      set: set, options: publishing, source: "revision \(revision)", reason: "back to revision \(revision)"
    ).run(text)
  }
}

/// Publishes the document of one set to another.
struct PromoteCommand: Command {
  private var fleet = FleetOptions()
  private var publishing = PublishOptions()
  private var origin: String?
  private var destination: String?

  static let options =
    FleetOptions.clusterOptions + [
      CommandOption("--from", .text("SET"), "the set whose document is published, without its candidate"),
      CommandOption("--to", .text("SET"), "the set whose servers are to run it"),
    ] + PublishOptions.options

  static let help = """
    Publishes the document of one set to another, as from staging to production: shows what that does to which users, and
    asks.

    usage: flagctl promote --etcd URL[,URL...] --from SET --to SET [option ...]

    \(options.help)

    """

  init(parsing arguments: Arguments) throws(UsageError) {
    var arguments = arguments
    while let word = try arguments.next() {
      switch word {
      case "--set": throw UsageError("--from SET and --to SET name the sets, found --set")
      case "--from": origin = try arguments.set(of: word)
      case "--to": destination = try arguments.set(of: word)
      default:
        if try fleet.take(word, from: &arguments) { continue }
        if try publishing.take(word, from: &arguments) { continue }
        throw UsageError("unknown argument \(word.excerpt)")
      }
    }
    try fleet.checkCluster()
    guard let origin else { throw UsageError("--from SET is missing") }
    guard let destination else { throw UsageError("--to SET is missing") }
    if origin == destination { throw UsageError("--from and --to are two sets, found \(origin.excerpt) for both") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let from = try FleetSet(try fleet.address(of: origin, on: terminal), on: terminal)
    let set = try FleetSet(try fleet.address(of: destination, on: terminal), on: terminal)
    let revision = try from.head().revision.number
    return try Publication(
      set: set, options: publishing, source: "\(from.name) at revision \(revision)",
      reason: "from \(from.name), revision \(revision)"
    ).run(try from.text(of: revision))
  }
}

import FlagDefinitions
import FlagDomain
import Foundation

struct HistoryCommand: Command {
  private var fleet = FleetOptions()
  private var limit = 20
  private var isJSON = false

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option("--limit", .integer(in: 1...1_000_000), "the maximum number of revisions (default: 20)", \.limit)
    Option.json(\.isJSON)
  }

  static let help = """
    Lists the revisions of a set, the newest first: when, by whom and why each was published, and which one servers run.

    usage: flagctl history --etcd URL[,URL...] --set NAME [option ...]

    \(options.help())

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(on: terminal)
    let (head, revisions) = (try set.headIfAny(), try set.history(limit: limit))
    try terminal.print(isJSON ? json(set.name, head, revisions) : Self.text(head, revisions))
    return .success
  }

  private static func text(_ head: PublishedHead?, _ revisions: [PublishedRevision]) -> String {
    if revisions.isEmpty { return "Nothing has been published yet.\n" }
    let rows = revisions.map { revision in
      let place =
        switch revision {
        case head?.revision: "current"
        case head?.candidate?.revision: "candidate, \(head?.candidate?.percent ?? 0) %"
        default: ""
        }
      return ["\(revision.number)", revision.timestamp.time, revision.note.author.printable, place]
        + [revision.note.reason.printable]
    }
    return TextTable([["REVISION", "PUBLISHED", "BY", "SERVERS", "REASON"]] + rows).text
  }

  private func json(_ set: String, _ head: PublishedHead?, _ revisions: [PublishedRevision]) -> String {
    let json = FlagValue([
      "version": 1, "set": set, "head": head?.json, "revisions": revisions.map(\.json),
    ])
    return "\(json.printed)\n"
  }
}

extension PublishedHead {
  var json: FlagValue {
    FlagValue([
      "revision": revision.number, "candidate": candidate?.revision.number, "percent": candidate?.percent,
    ])
  }
}

extension PublishedRevision {
  fileprivate var json: FlagValue {
    FlagValue([
      "revision": number, "fingerprint": fingerprint, "author": note.author, "reason": note.reason,
      "timestamp": timestamp,
    ])
  }
}

struct PullCommand: Command {
  private var fleet = FleetOptions()
  private var revision: Int?
  private var output: String?

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option(
      "--revision", .integer(in: 1...Int.max), "the revision (default: the one that servers run)",
      \.revision)
    Option("--output", .file, "the file to write (default: standard output)", \.output)
  }

  static let help = """
    Prints the document of a set exactly as it was published.

    usage: flagctl pull --etcd URL[,URL...] --set NAME [option ...]

    \(options.help())

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(on: terminal)
    var number = revision
    if number == nil { number = try set.head().revision.number }
    let text = try set.text(of: number ?? 0)
    guard let output else {
      try terminal.print(String(decoding: text, as: UTF8.self))
      return .success
    }
    try terminal.save(Data(text), to: output)
    try terminal.print("\(set.name): revision \(number ?? 0) is in \(output)\n")
    return .success
  }
}

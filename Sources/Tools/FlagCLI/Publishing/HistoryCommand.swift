import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagPublishing
import FlagSupport

struct HistoryCommand: Command {
  private var fleet = FleetOptions()
  private var file: String?
  private var limit = 20
  private var isJSON = false

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option("--flags", .file, "a document whose states are kept, by flagctl console --history", \.file)
    Option("--limit", .integer(in: 1...1_000_000), "the maximum number of revisions (default: 20)", \.limit)
    Option.json(\.isJSON)
  }

  static let summary = """
    Lists the revisions of a set, or the kept states of a document, the newest first: when, by whom and why each was
    published, and which one is current.
    """
  static let usage = "history [option ...]"
  static let example = "history --etcd https://etcd:2379 --set production"
  static let notes = "What cannot be read is named after the list, and the exit code is 1."

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet(orFile: file)
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    if let file {
      let store = try FileDefinitionHistory.kept(beside: file, author: terminal.author, on: terminal)
      let (head, revisions) = try mapError(
        try terminal.wait { [limit] () async throws(DefinitionStoreError) in
          (try await store.head(), try await store.history(limit: limit))
        }, ToolError.store)
      try terminal.print(isJSON ? json(file, head, revisions, []) : Self.text(head, revisions))
      return .success
    }
    let set = try fleet.set(on: terminal)
    let broken = try set.brokenParts()
    let head = try set.readableHead().head
    let revisions = try set.history(limit: limit)
    try terminal.print(isJSON ? json(set.name, head, revisions, broken) : Self.text(head, revisions))
    for part in broken { terminal.printError("flagctl: \(set.name): \(part)") }
    return broken.isEmpty ? .success : .data
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
      return ["\(revision.number)", revision.timestamp.time, revision.note.author.excerpt, place]
        + [revision.note.reason.excerpt]
    }
    return TextTable([["REVISION", "PUBLISHED", "BY", "SERVERS", "REASON"]] + rows).text
  }

  private func json(
    _ set: String, _ head: PublishedHead?, _ revisions: [PublishedRevision], _ broken: [BrokenPart]
  ) -> String {
    let json = FlagValue([
      "version": 1, "set": set, "head": head?.json, "revisions": revisions.map(\.json), "broken": broken.map(\.json),
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

extension BrokenPart {
  var json: FlagValue { FlagValue(["kind": kind.rawValue, "key": key, "revision": revision, "problem": problem]) }
}

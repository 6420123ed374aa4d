import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagPublishing
import FlagSupport
import Foundation

struct HistoryCommand: Command {
  private var fleet = FleetOptions()
  private var paths: [String] = []
  private var limit = 20
  private var isJSON = false
  private var back: Int?
  private var author: String?
  private var reason = ""
  private var isAgreed = false
  private var bucketing = Bucketing.v3

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option("--flags", .file, "a document whose states are kept, by flagctl console --history", addingTo: \.paths)
    Option("--limit", .integer(in: 1...1_000_000), "the maximum number of revisions (default: 20)", \.limit)
    Option.json(\.isJSON)
    Option(
      "--back", .integer("REVISION", in: 1...Int.max), "with --flags: writes the document of this revision again",
      \.back)
    Option("--author", .text("NAME"), "with --back: the author (default: $USER)", \.author)
    Option("--reason", .text("WORDS"), "with --back: the reason, for the history", \.reason)
    Option.bucketing(\.bucketing)
    Option("--yes", "with --back: does not ask for confirmation", \.isAgreed)
  }

  static let help = """
    Lists the revisions of a set, or the kept states of a document, the newest first: when, by whom and why each was
    published, and which one is current.

    usage: flagctl history --etcd URL[,URL...] --set NAME [option ...]
           flagctl history --flags FILE [--back REVISION] [option ...]

    \(options.help())

    What cannot be read is named after the list, and the exit code is 1.

    """

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    let given = [("--author", author != nil), ("--reason", !reason.isEmpty), ("--yes", isAgreed)]
    if back == nil, let option = given.first(where: \.1)?.0 {
      throw UsageError("\(option) is for --back REVISION, which is missing")
    }
    guard let path = paths.first else {
      if back != nil { throw UsageError("--back is for --flags FILE; for a set, publish what flagctl pull writes") }
      return try fleet.checkSet()
    }
    if fleet.isUsed { throw UsageError("--flags FILE or a set in etcd is enough, found both") }
    if paths.count > 1 {
      throw UsageError("one document is enough, found \(paths[1].excerpt) beside \(path.excerpt)")
    }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    if let path = paths.first { return try run(over: path, on: terminal) }
    let set = try fleet.set(bucketing: bucketing, on: terminal)
    let broken = try set.brokenParts()
    let head = try set.readableHead().head
    let revisions = try set.history(limit: limit)
    try terminal.print(isJSON ? json(set.name, head, revisions, broken) : Self.text(head, revisions))
    for part in broken { terminal.printError("flagctl: \(set.name): \(part)") }
    return broken.isEmpty ? .success : .data
  }

  /// Lists the states of a document, or goes back to one.
  private func run(over path: String, on terminal: Terminal) throws(ToolError) -> ExitCode {
    guard FileDefinitionHistory.isKept(beside: path) else {
      throw .data("\(path): no states are kept; start flagctl console with --history")
    }
    let store = try FileDefinitionHistory.opened(
      path, author: author ?? terminal.author, format: .inHouse(bucketing: bucketing), on: terminal)
    do {
      if let back { return try goBack(to: back, in: store, of: path, on: terminal) }
      let (head, revisions) = try terminal.wait { [limit] () async throws(DefinitionStoreError) in
        (try await store.head(), try await store.history(limit: limit))
      }
      try terminal.print(isJSON ? json(path, head, revisions, []) : Self.text(head, revisions))
      return .success
    } catch let error as ToolError {
      throw error
    } catch let error as DefinitionStoreError {
      throw .store(error)
    } catch {
      throw .data("\(path): \(error)")
    }
  }

  /// Shows the effect of an earlier document, asks for agreement, and writes it again.
  private func goBack(
    to number: Int, in store: FileDefinitionHistory, of path: String, on terminal: Terminal
  ) throws -> ExitCode {
    let (head, text) = try terminal.wait { () async throws(DefinitionStoreError) in
      (try await store.head(), try await store.text(of: number))
    }
    guard let text else { throw ToolError.data("\(path): there is no revision \(number), or it was removed") }
    let new = try terminal.publishable(text, named: "revision \(number) of \(path)", bucketing: bucketing)
    try terminal.print(terminal.changes(from: store.definitions, to: new, named: (path, "revision \(number)")))
    try terminal.agree(isAgreed, to: "Write \(path)?", of: path)
    let note = PublicationNote(
      author: author ?? terminal.author, reason: "back to revision \(number)\(reason.isEmpty ? "" : ": \(reason)")")
    let written = try terminal.wait { () async throws(DefinitionStoreError) in
      try await store.publish(text, expecting: head, note: note)
    }
    try terminal.print("\(path): \(written.revision.words)\n")
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

import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation

struct HistoryCommand: Command {
  private var fleet = FleetOptions()
  private var paths: [String] = []
  private var limit = 20
  private var isJSON = false
  private var back: Int?
  private var author: String?
  private var reason = ""

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
    let set = try fleet.set(on: terminal)
    let broken = try set.brokenParts()
    let head = try set.readableHead().head
    let revisions = try set.history(limit: limit)
    try terminal.print(isJSON ? json(set.name, head, revisions, broken) : Self.text(head, revisions))
    for part in broken { terminal.printError("flagctl: \(set.name): \(part)") }
    return broken.isEmpty ? .success : .data
  }

  /// Lists the states of a document, or goes back to one.
  private func run(over path: String, on terminal: Terminal) throws(ToolError) -> ExitCode {
    let folder = FileDefinitionHistory.folder(beside: URL(filePath: path))
    guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else {
      throw .data("\(path): no states are kept; start flagctl console with --history")
    }
    let store = try FileDefinitionHistory.opened(path, author: author ?? terminal.author, on: terminal)
    do {
      guard let back else {
        let (head, revisions) = try terminal.wait { [limit] () async throws(DefinitionStoreError) in
          (try await store.head(), try await store.history(limit: limit))
        }
        try terminal.print(isJSON ? json(path, head, revisions, []) : Self.text(head, revisions))
        return .success
      }
      let note = PublicationNote(
        author: author ?? terminal.author, reason: "back to revision \(back)\(reason.isEmpty ? "" : ": \(reason)")")
      let head = try terminal.wait { () async throws(DefinitionStoreError) in
        try await store.goBack(to: back, note)
      }
      guard let head else { throw ToolError.data("\(path): there is no revision \(back), or it was removed") }
      try terminal.print("\(path): \(head.revision.words)\n")
      return .success
    } catch let error as ToolError {
      throw error
    } catch let error as DefinitionStoreError {
      throw .store(error)
    } catch {
      throw .data("\(path): \(error)")
    }
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

  private func json(
    _ set: String, _ head: PublishedHead?, _ revisions: [PublishedRevision], _ broken: [BrokenPart]
  ) -> String {
    let json = FlagValue([
      "version": 1, "set": set, "head": head?.json, "revisions": revisions.map(\.json), "broken": broken.map(\.json),
    ])
    return "\(json.printed)\n"
  }
}

extension DefinitionHistory {
  /// Writes the document of an earlier revision again; returns nil if there is none of that number.
  fileprivate func goBack(
    to number: Int, _ note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead? {
    let head = try await head()
    guard let text = try await text(of: number) else { return nil }
    return try await publish(text, expecting: head, note: note)
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

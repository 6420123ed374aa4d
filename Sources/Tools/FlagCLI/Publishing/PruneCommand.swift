import FlagDefinitions
import FlagDomain
import FlagPublishing

struct PruneCommand: Command {
  private var fleet = FleetOptions()
  private var kept: Int?
  private var freesSpace = false
  private var isDryRun = false
  private var isAgreed = false

  static var options: [Option<Self>] {
    FleetOptions.options.of(\.fleet)
    Option(
      "--keep", .integer(in: 1...Int.max),
      "the number of the newest revisions to keep, besides those that servers run", \.kept)
    Option(
      "--free-space",
      """
      afterwards compacts etcd, defragments its members one after the other, and clears the alarm
      of a used-up quota; --etcd lists all members then
      """, \.freesSpace)
    Option("--dry-run", "lists what would be removed, and removes nothing", \.isDryRun)
    Option.agreement(\.isAgreed)
  }

  static let summary = "Removes earlier revisions of a set, and entries of its history that cannot be read."
  static let usage = "prune --keep NUMBER --etcd URL --set NAME [option ...]"
  static let example = "prune --keep 50 --etcd https://etcd:2379 --set production"
  static let notes = "Before anything is removed, it is listed, and confirmation is asked for."

  func finish(_ operands: Operands) throws(UsageError) {
    try operands.check()
    try fleet.checkSet()
    if kept == nil { throw UsageError("--keep NUMBER is missing") }
  }

  func run(on terminal: Terminal) throws(ToolError) -> ExitCode {
    let set = try fleet.set(on: terminal)
    let (head, kept) = (try set.head(), kept ?? 1)
    let old = try set.history(limit: .max).dropFirst(kept).map(\.number)
      .filter { ![head.revision.number, head.candidate?.revision.number].contains($0) }
    let broken = try set.brokenParts().filter { $0.kind == .entry }
    for line in Self.lines(old.sorted(), broken) { try terminal.print("\(set.name): \(line)\n") }
    if isDryRun { return .success }
    if !old.isEmpty || !broken.isEmpty {
      try terminal.agree(isAgreed, to: "Remove that from \(set.name)?", of: set.name)
    }
    // Also if nothing is listed: there may be documents that no revision names, as of a publisher that was killed.
    let removed = try set.answer { (store) async throws(DefinitionStoreError) in try await store.prune(keeping: kept) }
    try terminal.print("\(set.name): \(removed.count.counted("earlier revision")) removed\n")
    if freesSpace {
      let bytes = try set.answer { (store) async throws(DefinitionStoreError) in try await store.reclaimSpace() }
      try terminal.print("\(set.name): etcd is \(bytes) bytes smaller, and takes writes again\n")
    } else if !removed.isEmpty {
      try terminal.print("\(set.name): --free-space makes etcd smaller, and ends a used-up quota\n")
    }
    return .success
  }

  private static func lines(_ old: [Int], _ broken: [BrokenPart]) -> [String] {
    var lines: [String] = []
    if let first = old.first, let last = old.last {
      let several = "\(old.count) revisions from \(first) to \(last) are"
      lines.append("\(old.count == 1 ? "revision \(first) is" : several) to be removed")
    }
    return lines + broken.map { "to be removed, too: \($0)" }
  }
}

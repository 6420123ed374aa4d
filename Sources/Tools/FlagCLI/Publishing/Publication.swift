import FlagDefinitions
import FlagDomain
import FlagPublishing

/// A publication of a document to the servers of a set: it is compared with their revision, agreed to, and published
/// unless someone else has published in the meantime.
struct Publication {
  let set: FleetSet
  let options: PublishOptions
  let source: String
  /// The reason if the options give none; if both exist, they are joined.
  var reason = ""
  /// The times to compare the definitions at; empty for now.
  var times: [Int64] = []
  /// The head that the document is based on; nil for the current head at the time of publication.
  var seen: PublishedHead?
  /// Whether the document is known to be without flags of the current one, as an earlier revision is.
  var mayRemoveFlags = false

  private var terminal: Terminal { self.set.terminal }

  func run(_ text: [UInt8]) throws(ToolError) -> ExitCode {
    let new = try terminal.publishable(text, named: source, bucketing: options.bucketing)
    let base = try set.base(seen, overBroken: options.isOverBroken)
    if let expected = options.expected, base.number != expected {
      throw try conflict(since: expected, seen: nil)
    }
    if let head = base.head, head.candidate == nil, base.broken == nil, base.definitions.text == text {
      return try finish(.unchanged(head))
    }
    let removed = removedFlags(from: base.definitions, to: new)
    let report = try compare(base, with: new)
    for line in warnings(base, removed) { terminal.printError("flagctl: \(set.name): \(line)") }
    let result = PublicationResult(set: set.name, base: base, removed: removed, report: report)
    if options.isDryRun { return try finish(.notPublished(result)) }
    try agree(over: base, removed)
    let head = try publish(new, over: base)
    return try finish(.published(result, head))
  }

  /// Shows the effect on users; returns it as JSON, if that is to be written.
  private func compare(_ base: PublicationBase, with new: StoredDefinitions) throws(ToolError) -> FlagValue? {
    guard options.isJSON else {
      try terminal.print(
        try terminal.changes(
          from: base.definitions, to: new, named: (base.name, source), at: times))
      return nil
    }
    return try DiffReport(
      from: base.definitions, to: new, named: (base.name, source), at: terminal.now()
    ).json
  }

  private func removedFlags(from old: StoredDefinitions, to new: StoredDefinitions) -> [String] {
    guard !mayRemoveFlags, options.expected == nil else { return [] }
    return old.document.keys.filter { new.document.listing(of: $0) == nil }.sorted()
  }

  /// Asks for agreement; flags that are removed without an expected revision are asked for by all means.
  private func agree(over base: PublicationBase, _ removed: [String]) throws(ToolError) {
    let option = removed.isEmpty ? "--yes" : "--expect \(base.number ?? 0)"
    try terminal.agree(
      options.isAgreed && removed.isEmpty, to: "Publish to \(share(over: base.head)) of \(set.name)?", of: set.name,
      unless: option)
  }

  private func publish(_ definitions: StoredDefinitions, over base: PublicationBase) throws(ToolError) -> PublishedHead
  {
    let percent = options.percent == 100 ? nil : options.percent
    let note = PublicationNote(
      author: options.author ?? terminal.author,
      reason: [reason, options.reason].filter { !$0.isEmpty }.joined(separator: ": "))
    let (head, isHeadBroken) = (base.head, base.head == nil && base.broken != nil)
    return try set.answer(ifConflict: { () throws(ToolError) in
      try conflict(since: head?.revision.number ?? 0, seen: base.definitions)
    }) { (store) async throws(DefinitionStoreError) in
      if isHeadBroken { return try await store.replaceBrokenHead(with: definitions, note: note) }
      return try await store.publish(definitions, expecting: head, percent: percent, note: note)
    }
  }

  /// Prints the outcome, and removes earlier revisions if that is asked for.
  private func finish(_ outcome: PublicationOutcome) throws(ToolError) -> ExitCode {
    if !options.isJSON { try terminal.print(outcome.text(set.name)) }
    let pruned = Result { () throws(ToolError) in try prune(after: outcome) }
    if options.isJSON {
      // What was published is said, also if earlier revisions cannot be removed.
      let removed: [Int] = if case .success(let removed) = pruned { removed } else { [] }
      try terminal.print("\(outcome.json(set.name, pruned: removed).printed)\n")
    } else if case .success(let removed) = pruned, !removed.isEmpty {
      try terminal.print("\(set.name): \(set.removedWords(removed.count))\n")
    }
    _ = try pruned.get()
    return .success
  }

  private func prune(after outcome: PublicationOutcome) throws(ToolError) -> [Int] {
    guard case .published(_, let head) = outcome else { return [] }
    if let candidate = head.candidate, let line = set.unchosen(by: candidate) { terminal.printError(line) }
    guard let kept = options.kept else { return [] }
    return try set.answer { (store) async throws(DefinitionStoreError) in try await store.prune(keeping: kept) }
  }

  // MARK: - Words

  private func share(over head: PublishedHead?) -> String {
    guard head != nil, let percent = options.percent, percent < 100 else { return "all servers" }
    return "\(percent) % of the servers"
  }

  private func warnings(_ base: PublicationBase, _ removed: [String]) -> [String] {
    var lines: [String] = []
    if let broken = base.broken {
      lines.append("--over-broken: \(broken.problem)")
      lines.append("the effect is shown against \(base.name)")
    }
    if let candidate = base.head?.candidate {
      lines.append("the candidate on \(candidate.percent) % of the servers ends: \(candidate.revision.words)")
    }
    if !removed.isEmpty {
      let flags = removed.count.counted("flag of \(base.name) is", "flags of \(base.name) are")
      let names = removed.prefix(20).map(\.excerpt).joined(separator: ", ")
      lines.append("\(flags) removed: \(names)\(removed.count > 20 ? ", ..." : "")")
    }
    return lines
  }

  /// Prints the changes that others have published since a revision, and returns the conflict error.
  private func conflict(since number: Int, seen: StoredDefinitions?) throws(ToolError) -> ToolError {
    guard let now = try set.headIfAny() else {
      return .conflict(["\(set.name): expected revision \(number), found that nothing has been published yet"])
    }
    let newest = now.candidate?.revision ?? now.revision
    var lines = ["\(set.name): nothing was published: expected revision \(number), found \(now)"]
    if newest.number > number {
      let others = try set.history(limit: newest.number - number).filter { $0.number > number }
      lines += others.prefix(20).map { "\(set.name): \($0.words)" }
    }
    var old = seen
    if old == nil, let text = try set.textIfAny(of: number) { old = try set.definitions(in: text, of: number) }
    if let old, !options.isJSON, let new = try set.definitionsIfAny(of: newest) {
      let report = try terminal.changes(
        from: old, to: new, named: ("revision \(number)", "revision \(newest.number)"))
      try terminal.print("From revision \(number) to revision \(newest.number):\n\(report)")
    }
    return .conflict(lines)
  }
}

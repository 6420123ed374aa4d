import FlagDefinitions
import FlagDomain
import FlagPublishing
import FlagReview

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

  init(set: FleetSet, options: PublishOptions, source: String, reason: String = "") {
    (self.set, self.options, self.source, self.reason) = (set, options, source, reason)
  }

  init(_ labels: DocumentChangeLabels, to set: FleetSet, _ options: PublishOptions) {
    self.init(set: set, options: options, source: labels.source, reason: labels.reason)
    (times, mayRemoveFlags) = (labels.times, labels.removesFlags)
  }

  func run(_ text: [UInt8]) throws(ToolError) -> ExitCode {
    let new = try terminal.publishable(text, named: source, bucketing: options.bucketing)
    let base = try base()
    if let expected = options.expected, base.number != expected {
      throw try conflict(since: expected, seen: nil)
    }
    var outcome = Outcome(set: set.name, head: base.head)
    if base.head != nil, base.head?.candidate == nil, base.broken == nil, base.definitions.text == text {
      return try finish(outcome)
    }
    outcome.base = base
    outcome.removed = removedFlags(from: base.definitions, to: new)
    outcome.report = try compare(base, with: new)
    for line in warnings(base, outcome.removed) { terminal.printError("flagctl: \(set.name): \(line)") }
    if options.isDryRun { return try finish(outcome) }
    try agree(over: base, outcome.removed)
    outcome.head = try publish(new, over: base)
    outcome.isPublished = true
    return try finish(outcome)
  }

  /// Shows the effect on users; returns it as JSON, if that is to be written.
  private func compare(_ base: Base, with new: StoredDefinitions) throws(ToolError) -> FlagValue? {
    let names = (base.name, source)
    guard options.isJSON else {
      try terminal.print(try terminal.changes(from: base.definitions, to: new, named: names, at: times))
      return nil
    }
    return try DiffReport(from: base.definitions, to: new, named: names, at: terminal.now()).json
  }

  private func removedFlags(from old: StoredDefinitions, to new: StoredDefinitions) -> [String] {
    guard !mayRemoveFlags, options.expected == nil else { return [] }
    return old.document.keys.filter { new.document.listing(of: $0) == nil }.sorted()
  }

  /// Asks for agreement; flags that are removed without an expected revision are asked for by all means.
  private func agree(over base: Base, _ removed: [String]) throws(ToolError) {
    let option = removed.isEmpty ? "--yes" : "--expect \(base.number ?? 0)"
    try terminal.agree(
      options.isAgreed && removed.isEmpty, to: "Publish to \(share(over: base.head)) of \(set.name)?", of: set.name,
      unless: option)
  }

  private func publish(_ definitions: StoredDefinitions, over base: Base) throws(ToolError) -> PublishedHead {
    let percent = options.percent == 100 ? nil : options.percent
    let note = options.note(reason, on: terminal)
    let (head, isHeadBroken) = (base.head, base.head == nil && base.broken != nil)
    return try set.answer(ifConflict: { () throws(ToolError) in
      try conflict(since: head?.revision.number ?? 0, seen: base.definitions)
    }) { (store) async throws(DefinitionStoreError) in
      if isHeadBroken { return try await store.replaceBrokenHead(with: definitions, note: note) }
      return try await store.publish(definitions, expecting: head, percent: percent, note: note)
    }
  }

  /// Prints the outcome, and removes earlier revisions if that is asked for.
  private func finish(_ outcome: Outcome) throws(ToolError) -> ExitCode {
    if !options.isJSON { try terminal.print("\(set.name): \(outcome.words)\n") }
    let pruned = Result { () throws(ToolError) in try prune(after: outcome) }
    if options.isJSON {
      // What was published is said, also if earlier revisions cannot be removed.
      let removed: [Int] = if case .success(let removed) = pruned { removed } else { [] }
      try terminal.print("\(outcome.json(pruned: removed).printed)\n")
    } else if case .success(let removed) = pruned, !removed.isEmpty {
      try terminal.print("\(set.name): \(removed.count.counted("earlier revision")) removed\n")
    }
    _ = try pruned.get()
    return .success
  }

  private func prune(after outcome: Outcome) throws(ToolError) -> [Int] {
    guard outcome.isPublished else { return [] }
    if let candidate = outcome.head?.candidate, let line = set.unchosen(by: candidate) { terminal.printError(line) }
    guard let kept = options.kept else { return [] }
    return try set.answer { (store) async throws(DefinitionStoreError) in try await store.prune(keeping: kept) }
  }

  // MARK: - Words

  private func share(over head: PublishedHead?) -> String {
    guard head != nil, let percent = options.percent, percent < 100 else { return "all servers" }
    return "\(percent) % of the servers"
  }

  private func warnings(_ base: Base, _ removed: [String]) -> [String] {
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

  private func definitions(of revision: Int) throws(ToolError) -> StoredDefinitions? {
    try mapError(try set.definitionsIfAny(of: revision), ToolError.published)
  }

  /// Prints the changes that others have published since a revision, and returns the conflict error.
  private func conflict(since number: Int, seen: StoredDefinitions?) throws(ToolError) -> ToolError {
    guard let now = try mapError(try set.headIfAny(), ToolError.published) else {
      return .conflict(["\(set.name): expected revision \(number), found that nothing has been published yet"])
    }
    let newest = now.candidate?.revision ?? now.revision
    var lines = ["\(set.name): nothing was published: expected revision \(number), found \(now)"]
    if newest.number > number {
      let others = try set.history(limit: newest.number - number).filter { $0.number > number }
      lines += others.prefix(20).map { "\(set.name): \($0.words)" }
    }
    let old = if let seen { Optional(seen) } else { try definitions(of: number) }
    if let old, !options.isJSON, let new = try definitions(of: newest.number) {
      let names = ("revision \(number)", "revision \(newest.number)")
      let report = try terminal.changes(from: old, to: new, named: names)
      try terminal.print("From revision \(number) to revision \(newest.number):\n\(report)")
    }
    return .conflict(lines)
  }
}

// MARK: - The outcome

extension Publication {
  /// The outcome: what was published, or would be, and what it replaces.
  private struct Outcome {
    let set: String
    /// The head that is there now.
    var head: PublishedHead?
    /// The state that the document replaces; nil if servers run it already.
    var base: Base?
    /// The flags that the document is without, though nobody said that they are to go.
    var removed: [String] = []
    /// The effect on users as JSON; nil if it was printed as text.
    var report: FlagValue?
    var isPublished = false

    var words: String {
      guard base != nil else { return "revision \(head?.revision.number ?? 0) already has that document" }
      guard isPublished, let head else { return "nothing was published, because of --dry-run" }
      guard let candidate = head.candidate else { return "revision \(head.revision.number) is published" }
      return "revision \(candidate.revision.number) is a candidate on \(candidate.percent) % of the servers"
    }

    func json(pruned: [Int]) -> FlagValue {
      FlagValue([
        "version": 1, "set": set, "isPublished": isPublished, "head": head?.json, "replaced": base?.head?.json,
        "broken": base?.broken?.problem, "removedFlags": removed, "changes": report, "removedRevisions": pruned,
      ])
    }
  }

  // MARK: - The base

  /// The state of the set that the publication replaces, as far as it can be read.
  private struct Base {
    /// The head; nil if nothing has been published, or if the head is broken.
    var head: PublishedHead?
    /// The number of the revision that `--expect` names; nil if there is none.
    var number: Int?
    /// The definitions to compare with, and their name.
    var definitions: StoredDefinitions
    var name: String
    /// The broken part that is published over; nil if the current revision can be read.
    var broken: DefinitionStoreError?
  }

  /// Returns what the publication replaces; if that cannot be read, and is replaced anyway, the newest revision
  /// that can be read is the one to compare with.
  ///
  /// - Throws: An error that names the broken part.
  private func base() throws(ToolError) -> Base {
    do throws(DefinitionStoreError) {
      let base = try set.currentIfAny(seen) { (head) throws(DefinitionStoreError) in
        try set.definitionsIfAny(of: head.revision.number).map {
          Base(head: head, number: head.revision.number, definitions: $0, name: "\(head)")
        }
      }
      return if let base { base } else { try nothing() }
    } catch {
      guard [.broken, .invalid].contains(error.code) else { throw .published(error) }
      guard options.isOverBroken else { throw .broken(error, in: set.name) }
      return try mapError(try readableBase(insteadOf: error), ToolError.published)
    }
  }

  private func nothing() throws(DefinitionStoreError) -> Base {
    let text = Array(#"{"flags": {}}"#.utf8)
    return Base(
      definitions: try StoredDefinitions(parsing: text, format: set.store.format, of: set.name), name: "nothing")
  }

  /// Returns the newest revision that can be read, in place of the current one.
  private func readableBase(insteadOf broken: DefinitionStoreError) throws(DefinitionStoreError) -> Base {
    var base = try nothing()
    base.broken = broken
    base.head = try readable { () throws(DefinitionStoreError) in try set.headIfAny() }
    for revision in try set.ask({ (store) async throws(DefinitionStoreError) in try await store.history(limit: 100) }) {
      let definitions = try readable { () throws(DefinitionStoreError) in
        try set.definitionsIfAny(of: revision.number)
      }
      guard let definitions else { continue }
      base.number = base.head?.revision.number ?? revision.number
      (base.definitions, base.name) = (definitions, "revision \(revision.number), the newest that can be read")
      break
    }
    return base
  }

  /// Returns a part of the set; nil if it is broken.
  private func readable<Part>(
    _ read: () throws(DefinitionStoreError) -> Part?
  ) throws(DefinitionStoreError) -> Part? {
    do throws(DefinitionStoreError) { return try read() } catch {
      guard [.broken, .invalid].contains(error.code) else { throw error }
      return nil
    }
  }
}

extension Terminal {
  /// Returns a report of a change of definitions, for now or for each of several times.
  func changes(
    from old: StoredDefinitions, to new: StoredDefinitions, named names: (old: String, new: String),
    at times: [Int64] = []
  ) throws(ToolError) -> String {
    if times.isEmpty { return try DiffReport(from: old, to: new, named: names, at: now()).text }
    var text = ""
    for time in times {
      let report = try DiffReport(from: old, to: new, named: names, at: time)
      text += "From \(time.time) on:\n\(report.text)"
    }
    return text
  }

  /// Parses a document for publication, and reports its diagnostics; a document with an error is rejected.
  func publishable(
    _ text: [UInt8], named name: String, bucketing: Bucketing
  ) throws(ToolError) -> StoredDefinitions {
    let (definitions, diagnostics) = StoredDefinitions.checking(text, bucketing: bucketing)
    guard let definitions, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw .document(path: name, diagnostics)
    }
    print(.document(path: name, diagnostics))
    return definitions
  }
}

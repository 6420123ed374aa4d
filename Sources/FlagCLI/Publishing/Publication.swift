import FlagDefinitions

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

  private var terminal: Terminal { self.set.terminal }
}

extension Publication {
  func run(_ text: [UInt8]) throws(ToolError) -> ExitCode {
    let new = try terminal.publishable(text, named: source)
    var head = seen
    if head == nil { head = try set.headIfAny() }
    if let expected = options.expected, head?.revision.number != expected {
      throw try conflict(since: expected, seen: nil)
    }
    let old = try set.definitions(of: head?.revision)
    if let head, head.candidate == nil, old.text == text {
      try terminal.print("\(set.name): revision \(head.revision.number) already has that document\n")
      return .success
    }
    let names = (head.map { "\($0)" } ?? "nothing", source)
    try terminal.print(try terminal.changes(from: old, to: new, named: names, among: options.audience, at: times))
    if let line = lost(head) { terminal.printError(line) }
    try terminal.agree(options.isAgreed, to: "Publish to \(share(over: head)) of \(set.name)?", of: set.name)
    let published = try publish(new, over: head, seen: old)
    try terminal.print("\(set.name): \(Self.outcome(published))\n")
    return try prune()
  }

  private func publish(
    _ definitions: StoredDefinitions, over head: PublishedHead?, seen: StoredDefinitions
  ) throws(ToolError) -> PublishedHead {
    let percent = options.percent == 100 ? nil : options.percent
    let note = PublicationNote(
      author: options.author ?? terminal.author,
      reason: [reason, options.reason].filter { !$0.isEmpty }.joined(separator: ": "))
    return try set.answer(ifConflict: { () throws(ToolError) in
      try conflict(since: head?.revision.number ?? 0, seen: seen)
    }) { (store) async throws(DefinitionStoreError) in
      try await store.publish(definitions, expecting: head, percent: percent, note: note)
    }
  }

  private func prune() throws(ToolError) -> ExitCode {
    guard let kept = options.kept else { return .success }
    let removed = try set.answer { (store) async throws(DefinitionStoreError) in try await store.prune(keeping: kept) }
    if !removed.isEmpty {
      try terminal.print(
        "\(set.name): \(removed.count) earlier \(removed.count == 1 ? "revision" : "revisions") removed\n")
    }
    return .success
  }
}

// MARK: - Words

extension Publication {
  private func share(over head: PublishedHead?) -> String {
    guard head != nil, let percent = options.percent, percent < 100 else { return "all servers" }
    return "\(percent) % of the servers"
  }

  private func lost(_ head: PublishedHead?) -> String? {
    guard let candidate = head?.candidate else { return nil }
    return "flagctl: \(set.name): the candidate on \(candidate.percent) % of the servers ends: "
      + candidate.revision.words
  }

  private static func outcome(_ head: PublishedHead) -> String {
    guard let candidate = head.candidate else { return "revision \(head.revision.number) is published" }
    return "revision \(candidate.revision.number) is a candidate on \(candidate.percent) % of the servers"
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
    if let old {
      let report = try terminal.changes(
        from: old, to: try set.definitions(of: newest), named: ("revision \(number)", "revision \(newest.number)"))
      try terminal.print("From revision \(number) to revision \(newest.number):\n\(report)")
    }
    return .conflict(lines)
  }
}

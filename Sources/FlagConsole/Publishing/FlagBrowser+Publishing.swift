public import FlagDefinitions
import FlagDomain
public import FlagReview

/// What was published, as a console lists it.
public struct PublicationHistory: Sendable {
  /// What servers are told to run; nil where nothing was published.
  public let head: PublishedHead?
  /// The newest revisions, the newest first.
  public let revisions: [PublishedRevision]
}

/// What one revision changed, and what publishing its document again would change.
public struct RevisionReview: Sendable {
  /// What becomes of a flag.
  public struct Change: Sendable {
    /// The flag's key.
    public let key: String
    /// What differs.
    public let differences: [DefinitionComparison.Difference]
    /// Whom the change gives another variant.
    public let estimate: AudienceEstimate
  }

  /// The revision.
  public let revision: PublishedRevision
  /// What servers are told to run.
  public let head: PublishedHead
  /// The number of the revision that the changes are counted from; nil where that was removed, or there was none.
  public let predecessor: Int?
  /// What the revision changed; all its flags where there is none before it.
  public let changes: [Change]
  /// What going back to it would change now.
  public let changesBack: [Change]

  /// Whether its document can be published again.
  public var canGoBack: Bool { head.candidate != nil || head.revision.number != revision.number }
}

extension FlagBrowser {
  /// Whether there is a history of the definitions.
  public var hasHistory: Bool { ports.publishing != nil }

  /// Returns what was published.
  ///
  /// - Parameter limit: How many revisions at most.
  /// - Returns: The newest revisions.
  /// - Throws: A `FlagError` where there is no history, and a `DefinitionStoreError` where the store gives no answer.
  public func history(limit: Int = 100) async throws -> PublicationHistory {
    let store = try publishing
    return PublicationHistory(head: try await store.head(), revisions: try await store.history(limit: limit))
  }

  /// Returns what a revision changed, and what going back to it would change.
  ///
  /// - Throws: A `FlagError` where there is no such revision, and a `DefinitionStoreError` where the store gives no
  ///   answer.
  public func review(ofRevision number: Int) async throws -> RevisionReview {
    let store = try publishing
    let history = try await history(limit: 1000)
    guard let head = history.head, let revision = history.revisions.first(where: { $0.number == number }) else {
      throw FlagError(.flagNotFound, "There is no revision \(number), or it was removed.")
    }
    let predecessor = history.revisions.first { $0.number < number }?.number
    let new = try await definitions(of: number, in: store)
    let old = try await definitions(of: predecessor, in: store)
    let current = try await definitions(of: head.revision.number, in: store)
    return RevisionReview(
      revision: revision, head: head, predecessor: predecessor, changes: try changes(from: old, to: new),
      changesBack: try changes(from: current, to: new))
  }

  /// Publishes the document of an earlier revision as a new one.
  ///
  /// - Parameters:
  ///   - number: The earlier revision.
  ///   - current: The number of the head's revision that its effect was shown for.
  /// - Throws: A `DefinitionStoreError`, whose code is `CONFLICT` where someone else was faster, or a `FlagError`.
  public func goBack(toRevision number: Int, from current: Int) async throws {
    try checkWritable()
    let store = try publishing
    guard let text = try await store.text(of: number) else {
      throw FlagError(.flagNotFound, "There is no revision \(number), or it was removed.")
    }
    _ = try await publish(
      text, over: DefinitionVersion(rawValue: String(current)), in: store, because: "back to revision \(number)")
  }

  /// Publishes a document to all servers, in place of one version, while no candidate is out.
  func publish(
    _ text: [UInt8], over version: DefinitionVersion, in store: any PublishedDefinitionStore, because reason: String
  ) async throws -> PublishedHead {
    let head = try await store.head()
    guard let head, head.revision.version == version else {
      throw DefinitionStoreError(conflictIn: store.name, expected: version, found: head?.revision.version)
    }
    if let candidate = head.candidate {
      throw FlagError(
        .general,
        "Revision \(candidate.revision.number) is tried out on \(candidate.percent) % of the servers. Widen it to all, or "
          + "withdraw it, before anything else is published here.")
    }
    let note = PublicationNote(author: options.author, reason: reason)
    return try await store.publish(text, expecting: head, percent: nil, note: note)
  }

  private var publishing: any PublishedDefinitionStore {
    get throws(FlagError) {
      guard let store = ports.publishing else { throw FlagError(.flagNotFound, "These definitions have no history.") }
      return store
    }
  }

  /// Returns the definitions of a revision; those of no flag where there is none.
  private func definitions(
    of number: Int?, in store: any PublishedDefinitionStore
  ) async throws -> StoredDefinitions {
    guard let number, let text = try await store.text(of: number) else {
      return try StoredDefinitions(parsing: Array(#"{"flags": {}}"#.utf8))
    }
    return try StoredDefinitions(parsing: text)
  }

  private func changes(
    from old: StoredDefinitions, to new: StoredDefinitions
  ) throws(FlagError) -> [RevisionReview.Change] {
    let comparison = try DefinitionComparison(from: old, to: new)
    return comparison.changedKeys.map { key in
      RevisionReview.Change(
        key: key, differences: comparison.differences(of: key),
        estimate: comparison.estimate(of: key, among: Audience(users: 1000), at: options.now()))
    }
  }
}

extension DefinitionComparison.Difference {
  /// What the difference is, in words.
  package var words: String {
    switch self {
    case .added: "new flag"
    case .removed: "removed"
    case .malformed: "malformed"
    case .state: "switched on or off"
    case .variants: "other variants"
    case .defaultVariant: "another default variant"
    case .rule: "another rule"
    case .metadata: "other metadata"
    }
  }
}

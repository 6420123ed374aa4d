import FlagDefinitions
import FlagDomain
public import FlagEditing
public import FlagPublishing
public import FlagReview

/// The published revisions that a console lists.
public struct PublicationHistory: Sendable {
  /// The head that servers run; nil if nothing was published.
  public let head: PublishedHead?
  /// The newest revisions, newest first.
  public let revisions: [PublishedRevision]
}

/// The changes of one revision, and the change that goes back to it.
public struct RevisionReview: Sendable {
  /// The change to one flag.
  public struct Change: Sendable {
    /// The flag's key.
    public let key: String
    /// The differences.
    public let differences: [DefinitionComparison.Difference]
    /// The users who get another variant; nil for flags after the first 200, whose users are not asked.
    public let effect: DefinitionEffect?
  }

  /// The revision.
  public let revision: PublishedRevision
  /// The head that servers run.
  public let head: PublishedHead
  /// The number of the previous revision; nil if it was removed, or if this is the first one.
  public let predecessor: Int?
  /// The changes from the previous revision; all flags if there is no previous one.
  public let changes: [Change]
  /// The change of the current document to that of this revision.
  public let back: DocumentChange

  /// Whether its document can be published again.
  public var canGoBack: Bool { head.candidate != nil || head.revision.number != revision.number }
}

extension ConsoleModel {
  /// Whether the definitions have a history.
  public var hasHistory: Bool { ports.publishing != nil }

  /// Returns the published revisions.
  ///
  /// - Parameter limit: The maximum number of revisions.
  /// - Returns: The newest revisions.
  /// - Throws: A `FlagError` if there is no history, or a `DefinitionStoreError` if the store does not respond.
  public func history(limit: Int = 100) async throws -> PublicationHistory {
    let store = try publishing
    return PublicationHistory(head: try await store.head(), revisions: try await store.history(limit: limit))
  }

  /// Returns the changes of a revision, and the change that goes back to it.
  ///
  /// - Throws: A `FlagError` if there is no such revision, or a `DefinitionStoreError` if the store does not respond.
  public func review(ofRevision number: Int) async throws -> RevisionReview {
    let store = try publishing
    let history = try await history(limit: 1000)
    guard let head = history.head, let revision = history.revisions.first(where: { $0.number == number }) else {
      throw FlagError(.flagNotFound, "There is no revision \(number), or it was removed.")
    }
    let predecessor = history.revisions.first { $0.number < number }?.number
    let new = try await definitions(of: number, in: store)
    let old = try await definitions(of: predecessor, in: store)
    let current = try storedDefinitions
    return RevisionReview(
      revision: revision, head: head, predecessor: predecessor, changes: try changes(from: old, to: new),
      back: try back(to: number, new.text, from: current))
  }

  /// Returns the change of the current document to an earlier one.
  private func back(
    to number: Int, _ text: [UInt8], from current: StoredDefinitions
  ) throws(FlagError) -> DocumentChange {
    let keys = try DocumentSources(text).differing(from: DocumentSources(current.text))
    return DocumentChange("back to revision \(number)", of: keys, over: current.version) { _ in text }
  }

  /// Publishes a document to all servers if the head still has the expected version and no candidate is rolling out.
  func publish(
    _ text: [UInt8], over version: DefinitionVersion, in store: any DefinitionHistory, because reason: String
  ) async throws -> PublishedHead {
    let head = try await store.head()
    guard let head, head.revision.version == version else {
      throw DefinitionStoreError(conflictIn: store.name, expected: version, found: head?.revision.version)
    }
    if let candidate = head.candidate {
      throw FlagError(
        .general,
        "Revision \(candidate.revision.number) is being tried on \(candidate.percent) % of the servers. Widen it to all servers, or "
          + "withdraw it, before publishing anything else.")
    }
    let note = PublicationNote(author: options.author, reason: reason)
    return try await store.publish(text, expecting: head, note: note)
  }

  private var publishing: any DefinitionHistory {
    get throws(FlagError) {
      guard let store = ports.publishing else { throw FlagError(.flagNotFound, "These definitions have no history.") }
      return store
    }
  }

  /// Returns the definitions of a revision; empty definitions if there is no such revision.
  private func definitions(
    of number: Int?, in store: any DefinitionHistory
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
    let keys = comparison.changedKeys
    let asked = min(keys.count, RevisionReview.maximumEffects)
    return keys.enumerated().map { index, key in
      let effect = index < asked ? effect(of: key, in: comparison, amongFlags: asked) : nil
      return RevisionReview.Change(key: key, differences: comparison.differences(of: key), effect: effect)
    }
  }
}

extension RevisionReview {
  /// The maximum number of changes whose effect is estimated.
  package static let maximumEffects = 200
}

extension DefinitionComparison.Difference {
  /// The difference as a short phrase.
  package var words: String {
    switch self {
    case .added: "new flag"
    case .removed: "removed"
    case .malformed: "malformed"
    case .state: "switched on or off"
    case .variants: "variants changed"
    case .defaultVariant: "default variant changed"
    case .rule: "rule changed"
    case .metadata: "metadata changed"
    }
  }
}

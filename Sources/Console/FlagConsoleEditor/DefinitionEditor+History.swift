import FlagConsole
import FlagDefinitions
import FlagDomain
package import FlagEditing
package import FlagPublishing
package import FlagReview

/// The published revisions that an editor lists.
package struct PublicationHistory: Sendable {
  /// The head that servers run; nil if nothing was published.
  package let head: PublishedHead?
  /// The newest revisions, newest first.
  package let revisions: [PublishedRevision]
}

/// The changes of one revision, and the change that goes back to it.
package struct RevisionReview: Sendable {
  /// The change to one flag.
  package struct Change: Sendable {
    /// The flag's key.
    package let key: String
    /// The differences.
    package let differences: [DefinitionComparison.Difference]
    /// The users who get another variant; nil for flags after the first 200, whose users are not asked.
    package let effect: ChangeEffect?
    /// The times to come from which the rule is another one; empty for flags after the first 200, and for a revision
    /// that others have followed, whose times may not come.
    package let plan: [PlannedStep]
  }

  /// The revision.
  package let revision: PublishedRevision
  /// The head that servers run.
  package let head: PublishedHead
  /// The number of the previous revision; nil if it was removed, or if this is the first one.
  package let predecessor: Int?
  /// The changes from the previous revision; all flags if there is no previous one.
  package let changes: [Change]
  /// The change of the current document to that of this revision.
  package let back: DocumentChange

  /// The maximum number of changes whose effect is estimated.
  package static let maximumEffects = 200

  /// Whether its document can be published again.
  package var canGoBack: Bool { head.candidate != nil || head.revision.number != revision.number }
}

extension DefinitionEditor {
  /// Whether the definitions have a history.
  package var hasHistory: Bool { publishing != nil }

  /// Returns the published revisions.
  ///
  /// - Parameter limit: The maximum number of revisions.
  /// - Returns: The newest revisions.
  /// - Throws: A `FlagError` if there is no history, or a `DefinitionStoreError` if the store does not respond.
  package func history(limit: Int = 100) async throws -> PublicationHistory {
    let store = try requiredHistory
    return PublicationHistory(head: try await store.head(), revisions: try await store.history(limit: limit))
  }

  /// Returns the newest of the last revisions that changed a flag: at most 5, among the last 10.
  ///
  /// - Throws: A `FlagError` if there is no history, or a `DefinitionStoreError` if the store does not respond.
  package func history(of key: String) async throws -> [PublishedRevision] {
    let (store, revisions) = (try requiredHistory, try await history(limit: 11).revisions)
    var (found, later) = ([PublishedRevision](), nil as String?)
    for (index, revision) in revisions.enumerated() where found.count < 5 {
      let source = try await store.text(of: revision.number).flatMap { text in
        try DocumentSources(text).source(of: key).map { String(decoding: $0, as: UTF8.self) }
      }
      if index > 0, source != later { found.append(revisions[index - 1]) }
      later = source
    }
    // What the first revision has was made by it.
    return later != nil && revisions.count < 11 && found.count < 5 ? found + revisions.suffix(1) : found
  }

  /// Returns the changes of a revision, and the change that goes back to it.
  ///
  /// - Throws: A `FlagError` if there is no such revision, or a `DefinitionStoreError` if the store does not respond.
  package func review(ofRevision number: Int) async throws -> RevisionReview {
    let store = try requiredHistory
    let history = try await history(limit: 1000)
    guard let head = history.head, let revision = history.revisions.first(where: { $0.number == number }) else {
      throw FlagError(.flagNotFound, "There is no revision \(number), or it was removed.")
    }
    let predecessor = history.revisions.first { $0.number < number }?.number
    let new = try await definitions(of: number, in: store)
    let old = try await definitions(of: predecessor, in: store)
    let current = try storedDefinitions
    return RevisionReview(
      revision: revision, head: head, predecessor: predecessor,
      changes: try changes(from: old, to: new, isLast: number == head.revision.number),
      back: DocumentChange(
        "back to revision \(number)", from: try sources(of: current.text), backTo: try DocumentSources(new.text),
        over: current.version))
  }

  private var requiredHistory: any DefinitionHistory {
    get throws(FlagError) {
      guard let publishing else { throw FlagError(.flagNotFound, "These definitions have no history.") }
      return publishing
    }
  }

  /// Returns the definitions of a revision; empty definitions if there is no such revision.
  private func definitions(
    of number: Int?, in store: any DefinitionHistory
  ) async throws -> StoredDefinitions {
    guard let number, let text = try await store.text(of: number) else {
      return try StoredDefinitions(parsing: Array(#"{"flags": {}}"#.utf8), format: store.format)
    }
    return try StoredDefinitions(parsing: text, format: store.format)
  }

  private func changes(
    from old: StoredDefinitions, to new: StoredDefinitions, isLast: Bool
  ) throws(FlagError) -> [RevisionReview.Change] {
    let comparison = try DefinitionComparison(from: old, to: new)
    let keys = comparison.changedKeys
    let asked = min(keys.count, RevisionReview.maximumEffects)
    return keys.enumerated().map { index, key in
      let effect = index < asked ? effect(of: key, in: comparison, amongFlags: asked) : nil
      let isAsked = isLast && index < asked
      let plan = isAsked ? plan(of: key, in: new.document, for: ConsoleUsers(), amongFlags: asked) : []
      return RevisionReview.Change(key: key, differences: comparison.differences(of: key), effect: effect, plan: plan)
    }
  }
}

extension DefinitionComparison.Difference {
  /// The difference as a short phrase.
  package var words: String {
    switch self {
    case .added: "new flag"
    case .state: "switched on or off"
    case .removed: "removed"
    case .malformed: part
    case .variants, .defaultVariant, .rule, .metadata: "\(part) changed"
    }
  }
}

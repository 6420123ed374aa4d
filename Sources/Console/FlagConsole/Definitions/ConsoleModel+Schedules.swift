import FlagDefinitions
package import FlagDomain
package import FlagEditing
import FlagJSON
import FlagPublishing
import FlagReview

/// The users who get another variant at a time of a schedule.
package struct ScheduledMove: Hashable, Sendable {
  /// The time in seconds since 1970-01-01 UTC.
  package let time: Int64
  /// The users of this console who get another variant: the names of test users, and the ids of those who were tried.
  package let users: [String]
  /// The number of users of this console.
  package let knownUsers: Int
  /// The number of the console's own users who get another variant.
  package let movedOwnUsers: Int
  /// The number of the console's own users who were asked; zero if it has none.
  package let ownUsers: Int
}

extension ConsoleModel {
  /// Returns the users whom each time of a draft's schedule moves.
  ///
  /// - Returns: The moves, in the order of the times; empty if the draft has no schedule, or cannot be served.
  /// - Throws: An error if there are no definitions, or no such flag any more.
  package func scheduledMoves(of draft: DefinitionDraft) throws(FlagError) -> [ScheduledMove] {
    guard let schedule = draft.schedule, let comparison = try comparison(of: draft) else { return [] }
    let known = knownUsers
    let own = options.ownUsers.prefix(options.askedUsers)
    let contexts = known.map(\.context) + own.map { EvaluationContext(attributes: $0) }
    let times = schedule.times.prefix(Self.maximumTimes)
    let steps = Audience.usualSteps / max(1, 2 * times.count)
    return times.map { time in
      let before = comparison.outcomes(of: draft.key, for: contexts, at: time - 1, steps: steps).map(\.new)
      let after = comparison.outcomes(of: draft.key, for: contexts, at: time, steps: steps).map(\.new)
      let moved = zip(before, after).map { $0 != $1 }
      return ScheduledMove(
        time: time, users: zip(known, moved).filter(\.1).map(\.0.name), knownUsers: known.count,
        movedOwnUsers: moved.dropFirst(known.count).count { $0 }, ownUsers: max(0, moved.count - known.count))
    }
  }

  /// The test users by their names, and the users who were tried in this console by their ids.
  private var knownUsers: [(name: String, context: EvaluationContext)] {
    let tried = [user].compactMap { $0 } + state.withLock { $0.tried }.filter { $0 != user }
    return testUsers.map { ($0.name, EvaluationContext(attributes: $0.attributes)) }
      + tried.map { ($0.id, context(of: $0)) }
  }

  /// The maximum number of times for which users are asked.
  private static let maximumTimes = 50

  /// Returns a document of the draft's flag and the shared rules alone, compared with itself; nil if it is not valid.
  private func comparison(of draft: DefinitionDraft) throws(FlagError) -> DefinitionComparison? {
    let stored = try storedDefinitions
    do throws(FlagError) {
      let editor = try JSONEditor(try draft.text(in: stored.text))
      let flag = editor.source(of: DocumentPath.root.appending("flags").appending(draft.key)) ?? "{}"
      let shared = editor.source(of: .evaluators) ?? "{}"
      let text = #"{"flags": {\#(FlagValue.string(draft.key).description): \#(flag)}, "$evaluators": \#(shared)}"#
      let format = InHouseFormat(bucketing: (stored.document as? FlagDocument)?.bucketing ?? .v3)
      guard let small = StoredDefinitions.reading(text, as: format) else { return nil }
      return try DefinitionComparison(from: small, to: small)
    } catch {
      guard error.code == .parseError else { throw error }
      return nil
    }
  }
}

extension StoredDefinitions {
  fileprivate static func reading(_ text: String, as format: InHouseFormat) -> StoredDefinitions? {
    do throws(FlagDocumentError) {
      return try StoredDefinitions(parsing: Array(text.utf8), format: format)
    } catch {
      return nil
    }
  }
}

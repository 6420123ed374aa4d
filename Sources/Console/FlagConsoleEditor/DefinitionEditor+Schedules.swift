package import FlagConsole
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
  /// The known users who get another variant: the names of test users, and the ids of those who were tried.
  package let users: [String]
  /// The number of known users.
  package let knownUsers: Int
  /// The number of the editor's own users who get another variant.
  package let movedOwnUsers: Int
  /// The number of the editor's own users who were asked; zero if it has none.
  package let ownUsers: Int
}

extension DefinitionEditor {
  /// Returns whom each time of a draft's schedule moves: of the console's users, the test users and the own users.
  ///
  /// - Returns: The moves, in the order of the times; empty if the draft has no schedule, or cannot be served.
  /// - Throws: An error if there is no document, or no such flag any more.
  package func scheduledMoves(
    of draft: DefinitionDraft, for users: ConsoleUsers = ConsoleUsers()
  ) throws(FlagError) -> [ScheduledMove] {
    guard let schedule = draft.schedule, let comparison = try comparison(of: draft) else { return [] }
    let tried = [users.current].compactMap { $0 } + users.tried
    let known =
      testUsers.map { (name: $0.name, context: EvaluationContext(attributes: $0.attributes)) }
      + tried.map { (name: $0.id, context: users.context(of: $0)) }
    let contexts = known.map(\.context) + options.ownUsers.map { EvaluationContext(attributes: $0) }
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

  /// The maximum number of times for which users are asked.
  private static let maximumTimes = 50

  /// Returns a document of the draft's flag and the shared rules alone, compared with itself; nil if it is not valid.
  private func comparison(of draft: DefinitionDraft) throws(FlagError) -> DefinitionComparison? {
    let stored = try storedDefinitions
    do {
      let editor = try JSONEditor(try draft.text(in: stored.text))
      let flag = editor.source(of: DocumentPath.root.appending("flags").appending(draft.key)) ?? "{}"
      let shared = editor.source(of: .evaluators) ?? "{}"
      let text = #"{"flags": {\#(FlagValue.string(draft.key).description): \#(flag)}, "$evaluators": \#(shared)}"#
      let format = InHouseFormat(bucketing: (stored.document as? FlagDocument)?.bucketing ?? .v3)
      let small = try StoredDefinitions(parsing: Array(text.utf8), format: format)
      return try DefinitionComparison(from: small, to: small)
    } catch let error as FlagError where error.code != .parseError {
      throw error
    } catch {
      return nil
    }
  }
}

package import FlagConsole
package import FlagDefinitions
package import FlagDomain
package import FlagEditing
import FlagJSON
import FlagPublishing
import FlagReview

extension DefinitionEditor {
  /// Returns whom each time of a draft's schedule moves: of the console's users, the test users and the own users.
  ///
  /// - Returns: The steps, in the order of the times; empty if the draft has no schedule, or cannot be served.
  /// - Throws: An error if there is no document, or no such flag any more.
  package func scheduledSteps(
    of draft: DefinitionDraft, for users: ConsoleUsers = ConsoleUsers()
  ) throws(FlagError) -> [PlannedStep] {
    guard let schedule = draft.schedule, let document = try document(of: draft) else { return [] }
    return steps(of: draft.key, in: document, at: schedule.times, for: users)
  }

  /// Returns the times to come from which a flag's rule is another one, with what it is then and whom they move.
  ///
  /// - Parameters:
  ///   - key: The flag's key.
  ///   - document: The document; nil for the current one.
  ///   - users: The users of the console.
  ///   - isReviewed: Whether the own users are asked, too, which takes the steps of a review.
  ///   - count: The number of flags that share the steps of evaluations.
  /// - Returns: The steps, in the order of the times; empty if no time to come changes the rule.
  package func plan(
    of key: String, in document: (any DefinitionDocument)? = nil, for users: ConsoleUsers, isReviewed: Bool = true,
    amongFlags count: Int = 1
  ) -> [PlannedStep] {
    guard let document = document ?? store.current?.document, let rule = TimedRule(of: key, in: document) else {
      return []
    }
    let times = rule.times.filter { $0 > options.now() }.prefix(Self.maximumTimes).filter(rule.changes)
    return steps(of: key, in: document, at: times, for: users, isReviewed: isReviewed, amongFlags: count)
  }

  /// The maximum number of times that are looked at.
  private static let maximumTimes = 50

  private func steps(
    of key: String, in document: any DefinitionDocument, at times: [Int64], for users: ConsoleUsers,
    isReviewed: Bool = true, amongFlags count: Int = 1
  ) -> [PlannedStep] {
    let tried = [users.current].compactMap { $0 } + users.tried
    let known =
      testUsers.map { (name: $0.name, context: EvaluationContext(attributes: $0.attributes)) }
      + tried.map { (name: $0.id, context: users.context(of: $0)) }
    let own = isReviewed ? options.ownUsers.map { EvaluationContext(attributes: $0) } : []
    let contexts = known.map(\.context) + own
    let times = times.prefix(Self.maximumTimes)
    // A page that shows a plan each time it is opened takes a twentieth of a review's steps.
    let limit = Audience.usualSteps / (isReviewed ? 1 : 20) / max(1, 2 * times.count * count)
    let rule = TimedRule(of: key, in: document)
    return times.map { time in
      let before = document.outcomes(of: key, for: contexts, at: time - 1, steps: limit)
      let after = document.outcomes(of: key, for: contexts, at: time, steps: limit)
      let moved = zip(before, after).map { $0 != $1 }
      return PlannedStep(
        time: time, words: rule?.words(at: time) ?? "", users: zip(known, moved).filter(\.1).map(\.0.name),
        knownUsers: min(known.count, moved.count), movedOwnUsers: moved.dropFirst(known.count).count { $0 },
        ownUsers: max(0, moved.count - known.count))
    }
  }

  /// Returns a document of the draft's flag and the shared rules alone; nil if it is not valid.
  private func document(of draft: DefinitionDraft) throws(FlagError) -> (any DefinitionDocument)? {
    let stored = try storedDefinitions
    do {
      let editor = try JSONEditor(try draft.text(in: stored.text))
      let flag = editor.source(of: DocumentPath.root.appending("flags").appending(draft.key)) ?? "{}"
      let shared = editor.source(of: .evaluators) ?? "{}"
      let text = #"{"flags": {\#(FlagValue.string(draft.key).description): \#(flag)}, "$evaluators": \#(shared)}"#
      let format = InHouseFormat(bucketing: (stored.document as? FlagDocument)?.bucketing ?? .v3)
      return try StoredDefinitions(parsing: Array(text.utf8), format: format).document
    } catch let error as FlagError where error.code != .parseError {
      throw error
    } catch {
      return nil
    }
  }
}

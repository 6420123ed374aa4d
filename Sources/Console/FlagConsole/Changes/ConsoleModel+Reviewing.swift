package import FlagDefinitions
package import FlagDomain
package import FlagEditing
import FlagReview

extension ConsoleModel {
  /// Returns a draft of a flag's definition.
  package func draft(of key: String) throws(FlagError) -> DefinitionDraft {
    let stored = try storedDefinitions
    _ = try stored.editable
    return try DefinitionDraft(key, over: sources(of: stored.text).flag(key), version: stored.version)
  }

  /// The definitions that a change is reviewed and saved over.
  package var storedDefinitions: StoredDefinitions {
    get throws(FlagError) {
      guard let store = ports.definitions else { throw FlagError(.general, "this console has no definitions to edit") }
      guard let stored = store.current else { throw FlagError(.providerNotReady, "\(store.name): no document yet") }
      return stored
    }
  }

  /// Checks a change of the current document, and finds the users whom it would affect.
  ///
  /// - Throws: An error if a flag that it needs no longer exists, or if this console cannot edit the definitions.
  package func review(_ change: DocumentChange) throws(FlagError) -> ChangeReview {
    let stored = try storedDefinitions
    let checked = try checked(change, in: stored)
    guard let new = checked.definitions, checked.review.isServable else { return checked.review }
    let comparison = try DefinitionComparison(from: stored, to: new)
    var review = checked.review
    let meant = StringMap(change.keys.map { ($0, ()) })
    var known = meant
    let others = (comparison.changedKeys + checked.changedKeys).filter { key in
      defer { known[key] = () }
      return known[key] == nil
    }.sorted()
    let keys = change.keys + others
    let reviewed = keys.prefix(ChangeReview.maximumFlags)
    review.flags = try reviewed.map { key throws(FlagError) in
      try changedFlag(key, isMeant: meant[key] != nil, of: reviewed.count, in: comparison, checked)
    }
    review.omittedFlags = max(0, keys.count - ChangeReview.maximumFlags)
    return review
  }

  private func changedFlag(
    _ key: String, isMeant: Bool, of count: Int, in comparison: DefinitionComparison, _ checked: CheckedChange
  ) throws(FlagError) -> ChangedFlag {
    let (old, new) = (checked.before?.source(of: key), checked.after?.source(of: key))
    func text(_ source: ArraySlice<UInt8>?) -> String { source.map { String(decoding: $0, as: UTF8.self) } ?? "" }
    return ChangedFlag(
      key: key, isMeant: isMeant, words: try DefinitionChangeWords.phrases(of: key, in: comparison, old, new),
      lines: try LineDifference(ofDefinitions: text(old), text(new)), testUsers: testedUsers(of: key, in: comparison),
      tried: triedUsers(of: key, in: comparison),
      effect: effect(of: key, in: comparison, amongFlags: count))
  }

  /// Checks a change, unless it is the one that was checked last: saving checks what was reviewed just before.
  func checked(_ change: DocumentChange, in stored: StoredDefinitions) throws(FlagError) -> CheckedChange {
    let shared = origin ?? self
    let checked = try CheckedChange(
      change, in: stored, over: sources(of: stored.text), reusing: shared.lastChecked.withLock { $0 })
    shared.lastChecked.withLock { $0 = checked }
    return checked
  }

  /// Returns the places of the flags in a document's text, which is read once.
  func sources(of text: [UInt8]) throws(FlagError) -> DocumentSources {
    let shared = origin ?? self
    if let sources = shared.lastSources.withLock({ $0 }), sources.text == text { return sources }
    let sources = try DocumentSources(text)
    shared.lastSources.withLock { $0 = sources }
    return sources
  }

  /// Checks an edited definition, and finds the users it would affect.
  ///
  /// - Throws: An error if the flag no longer exists.
  package func review(_ draft: DefinitionDraft) throws(FlagError) -> ChangeReview { try review(DocumentChange(draft)) }
}

package import FlagDefinitions
package import FlagDomain
package import FlagEditing
import FlagPublishing

extension ConsoleModel {
  /// Saves a change if the document still has the version that it is based on.
  ///
  /// A change that leaves the document as it is is not written.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - reason: The reason, for the history; empty for none.
  /// - Returns: The saved definitions.
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` only if someone else saved first, or a `FlagError`.
  @discardableResult
  package func save(_ change: DocumentChange, because reason: String = "") async throws -> StoredDefinitions {
    let stored = try writableDefinitions
    guard stored.version == change.version else {
      throw DefinitionStoreError(
        conflictIn: ports.definitions?.name ?? "", expected: change.version, found: stored.version)
    }
    return try await save(change, over: stored, because: reason)
  }

  /// Saves a change if it makes the difference that was seen, whatever else was changed in the document meanwhile.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - fingerprint: The fingerprint of the review that was seen.
  ///   - reason: The reason, for the history; empty for none.
  /// - Returns: The saved definitions; nil if the change makes another difference now, which must be seen first.
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` only if others saved again and again, or a
  ///   `FlagError`.
  @discardableResult
  package func save(
    _ change: DocumentChange, seen fingerprint: String, because reason: String = ""
  ) async throws -> StoredDefinitions? {
    for attempt in 1... {
      let stored = try writableDefinitions
      guard try checked(change, in: stored).review.fingerprint == fingerprint else { return nil }
      do {
        return try await save(change, over: stored, because: reason)
      } catch let error as DefinitionStoreError where error.code == .conflict && attempt < Self.maximumAttempts {
        // Someone else saved between reading and writing, perhaps other flags: the difference is compared again.
        guard try storedDefinitions.version != stored.version else { throw error }
      }
    }
    return nil
  }

  /// Saves an edited definition if the document still has the version that the draft is based on.
  ///
  /// A draft that changes nothing is not written.
  ///
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` only if someone else saved first, or a `FlagError`.
  @discardableResult
  package func save(_ draft: DefinitionDraft) async throws -> StoredDefinitions {
    try await save(DocumentChange(draft))
  }

  /// Returns the fingerprint that the review of a change has.
  ///
  /// - Throws: An error if a flag that it needs no longer exists, or if this console cannot edit the definitions.
  package func fingerprint(of change: DocumentChange) throws(FlagError) -> String {
    try checked(change, in: storedDefinitions).review.fingerprint
  }

  private static let maximumAttempts = 20

  /// The change that was saved last in this console, and can be taken back; nil if there is none.
  package var savedChange: SavedChange? { state.withLock { $0.saved } }

  /// Forgets the change that was saved last.
  package func forgetSavedChange() {
    state.withLock { $0.saved = nil }
    noteChange()
  }

  /// Returns the change that takes back the one that was saved last; all else stays as it is now.
  ///
  /// - Throws: An error if nothing was saved here, or if this console cannot edit the definitions.
  package func undoingSavedChange() throws(FlagError) -> DocumentChange {
    guard let saved = savedChange else { throw FlagError(.flagNotFound, "Nothing was saved here that can be undone.") }
    return saved.undoing(over: try storedDefinitions.version)
  }

  /// The reason why the definitions may be out of date, such as a broken or deleted file; nil if they are not.
  package var definitionsProblem: FlagError? { ports.definitions?.status.failure }

  /// The definitions, if they may be saved, and it is known what a change would replace.
  private var writableDefinitions: StoredDefinitions {
    get throws(FlagError) {
      try checkWritable()
      let stored = try storedDefinitions
      if let store = ports.definitions { try checkReadable(store) }
      return stored
    }
  }

  private func save(
    _ change: DocumentChange, over stored: StoredDefinitions, because reason: String
  ) async throws -> StoredDefinitions {
    guard let store = ports.definitions else { return stored }
    let checked = try checked(change, in: stored)
    guard let new = try checked.servable(of: store) else { return stored }
    let saved = try await save(
      new, over: stored.version, in: store, because: reason.isEmpty ? change.title : "\(change.title): \(reason)")
    state.withLock { $0.saved = checked.saved }
    (origin ?? self).lastSources.withLock { $0 = checked.after }
    return saved
  }

  private func save(
    _ new: StoredDefinitions, over version: DefinitionVersion, in store: any DefinitionStore, because reason: String
  ) async throws -> StoredDefinitions {
    guard let publishing = ports.publishing else { return try await replace(new, over: version, in: store) }
    let head = try await publish(new.text, over: version, in: publishing, because: reason)
    return StoredDefinitions(new, version: head.revision.version)
  }

  // Inlined into `save`, it ended the optimizer of Swift 6.3.1 with signal 11.
  @inline(never)
  private func replace(
    _ new: StoredDefinitions, over version: DefinitionVersion, in store: any DefinitionStore
  ) async throws -> StoredDefinitions {
    do {
      return try await store.replace(with: new.text, expecting: version)
    } catch {
      // A document that broke or went meanwhile is no conflict with anyone.
      if error.code == .conflict { try checkReadable(store) }
      throw error
    }
  }

  /// Checks that the store's document can be read now, so that it is known what a change replaces.
  private func checkReadable(_ store: any DefinitionStore) throws(FlagError) {
    guard let failure = store.status.failure else { return }
    throw FlagError(
      failure.code,
      "Not saved, because what is there now cannot be read. Repair it, or restore it, and save again. "
        + failure.message)
  }
}

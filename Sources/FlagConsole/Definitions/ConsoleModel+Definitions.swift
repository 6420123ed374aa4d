public import FlagDefinitions
public import FlagDomain
import FlagReview

extension ConsoleModel {
  /// Returns a draft of a flag's definition.
  public func draft(of key: String) throws(FlagError) -> DefinitionDraft {
    let stored = try storedDefinitions
    _ = try stored.editable
    return try DefinitionDraft(key, in: stored)
  }

  /// Checks an edited definition, and finds the users it would affect.
  ///
  /// - Throws: An error if the flag no longer exists.
  public func review(_ draft: DefinitionDraft) throws(FlagError) -> DefinitionReview {
    let stored = try storedDefinitions
    let checked = try CheckedDraft(draft, in: stored)
    var review = DefinitionReview(ruleError: checked.ruleError, diagnostics: checked.diagnostics)
    if let new = checked.servable {
      let comparison = try DefinitionComparison(from: stored, to: new)
      review.tried = triedUsers(of: draft.key, in: comparison)
      review.effect = effect(of: draft.key, in: comparison)
    }
    return review
  }

  /// Saves an edited definition if the document still has the version that the draft is based on.
  ///
  /// A draft that changes nothing is not written.
  ///
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` only if someone else saved first, or a `FlagError`.
  @discardableResult
  public func save(_ draft: DefinitionDraft) async throws -> StoredDefinitions {
    try checkWritable()
    guard let store = ports.definitions else { throw FlagError(.general, "this console has no definitions to edit") }
    let stored = try storedDefinitions
    guard let new = try servable(draft, over: stored, in: store) else { return stored }
    guard let publishing = ports.publishing else { return try await replace(new, over: draft.version, in: store) }
    let head = try await publish(new.text, over: draft.version, in: publishing, because: "edited \(draft.key)")
    return StoredDefinitions(new, version: head.revision.version)
  }

  /// Returns the definitions to save; nil if the draft changes nothing.
  private func servable(
    _ draft: DefinitionDraft, over stored: StoredDefinitions, in store: any DefinitionStore
  ) throws -> StoredDefinitions? {
    try checkReadable(store)
    guard stored.version == draft.version else {
      throw DefinitionStoreError(conflictIn: store.name, expected: draft.version, found: stored.version)
    }
    let checked = try CheckedDraft(draft, in: stored)
    if let error = checked.ruleError { throw error }
    if checked.isUnchanged { return nil }
    guard let new = checked.servable else {
      throw DefinitionStoreError(
        .invalid, store: store.name, "expected a definition that can be served", diagnostics: checked.diagnostics)
    }
    return new
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

  /// The reason why the definitions may be out of date, such as a broken or deleted file; nil if they are not.
  public var definitionsProblem: FlagError? { ports.definitions?.status.failure }

  /// Checks that the store's document can be read now, so that it is known what a change replaces.
  private func checkReadable(_ store: any DefinitionStore) throws(FlagError) {
    guard let failure = store.status.failure else { return }
    throw FlagError(
      failure.code,
      "Not saved, because what is there now cannot be read. Repair it, or restore it, and save again. "
        + failure.message)
  }

  package var storedDefinitions: StoredDefinitions {
    get throws(FlagError) {
      guard let store = ports.definitions else { throw FlagError(.general, "this console has no definitions to edit") }
      guard let stored = store.current else { throw FlagError(.providerNotReady, "\(store.name): no document yet") }
      return stored
    }
  }
}

extension StoredDefinitions {
  /// The document in the in-house format, which can be edited.
  fileprivate var editable: FlagDocument {
    get throws(FlagError) {
      do throws(FlagDocumentError) {
        return try inHouse
      } catch {
        throw FlagError(.general, "this console cannot edit the definitions: \(error.diagnostics[0].message)")
      }
    }
  }
}

private struct CheckedDraft {
  var ruleError: FlagError?
  var diagnostics: [DocumentDiagnostic] = []
  var servable: StoredDefinitions?
  var isUnchanged = false

  init(_ draft: DefinitionDraft, in stored: StoredDefinitions) throws(FlagError) {
    let bucketing = try stored.editable.bucketing
    do throws(FlagError) {
      let text = try draft.text(in: stored.text)
      isUnchanged = text == stored.text
      let new = StoredDefinitions.checking(text, for: draft.key, bucketing: bucketing)
      diagnostics = new.diagnostics
      servable = diagnostics.contains { $0.severity == .error } ? nil : new.definitions
    } catch {
      guard error.code == .parseError else { throw error }
      ruleError = error
    }
  }
}

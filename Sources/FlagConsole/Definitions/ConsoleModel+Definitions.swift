public import FlagDefinitions
public import FlagDomain
public import FlagReview

/// The problems of an edited definition, and the users it would affect.
public struct DefinitionReview: Sendable {
  /// The parse error of the rule, with line and column in the rule; nil if it is valid.
  public let ruleError: FlagError?
  /// The problems of the flag, with lines and columns in the document.
  public let diagnostics: [DocumentDiagnostic]
  /// The estimate of the users who get another variant; nil if the definition cannot be served.
  public let estimate: AudienceEstimate?

  /// Whether the definition may be saved.
  public var isServable: Bool { ruleError == nil && !diagnostics.contains { $0.severity == .error } }
}

extension ConsoleModel {
  /// Returns a draft of a flag's definition.
  public func draft(of key: String) throws(FlagError) -> DefinitionDraft {
    let stored = try storedDefinitions
    _ = try stored.editable
    return try DefinitionDraft(key, in: stored)
  }

  /// Checks an edited definition, and estimates the users it would affect.
  ///
  /// - Throws: An error if the flag no longer exists.
  public func review(_ draft: DefinitionDraft) throws(FlagError) -> DefinitionReview {
    let stored = try storedDefinitions
    let checked = try CheckedDraft(draft, in: stored)
    let estimate = try checked.servable.map { new throws(FlagError) in
      try DefinitionComparison(from: stored, to: new)
        .estimate(of: draft.key, among: Audience(users: 2000), at: options.now())
    }
    return DefinitionReview(ruleError: checked.ruleError, diagnostics: checked.diagnostics, estimate: estimate)
  }

  /// Saves an edited definition if the document still has the version that the draft is based on.
  ///
  /// - Throws: A `DefinitionStoreError`, with the code `CONFLICT` if someone else saved first, or a `FlagError`.
  @discardableResult
  public func save(_ draft: DefinitionDraft) async throws -> StoredDefinitions {
    try checkWritable()
    guard let store = ports.definitions else { throw FlagError(.general, "this console has no definitions to edit") }
    let stored = try storedDefinitions
    guard stored.version == draft.version else {
      throw DefinitionStoreError(conflictIn: store.name, expected: draft.version, found: stored.version)
    }
    let checked = try CheckedDraft(draft, in: stored)
    if let error = checked.ruleError { throw error }
    guard let new = checked.servable else {
      throw DefinitionStoreError(
        .invalid, store: store.name, "expected a definition that can be served", diagnostics: checked.diagnostics)
    }
    guard let publishing = ports.publishing else {
      return try await store.replace(with: new.text, expecting: draft.version)
    }
    let head = try await publish(new.text, over: draft.version, in: publishing, because: "edited \(draft.key)")
    return StoredDefinitions(new, version: head.revision.version)
  }

  private var storedDefinitions: StoredDefinitions {
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

  init(_ draft: DefinitionDraft, in stored: StoredDefinitions) throws(FlagError) {
    let bucketing = try stored.editable.bucketing
    do throws(FlagError) {
      let text = try draft.text(in: stored.text)
      let new = StoredDefinitions.checking(text, for: draft.key, bucketing: bucketing)
      diagnostics = new.diagnostics
      servable = diagnostics.contains { $0.severity == .error } ? nil : new.definitions
    } catch {
      guard error.code == .parseError else { throw error }
      ruleError = error
    }
  }
}

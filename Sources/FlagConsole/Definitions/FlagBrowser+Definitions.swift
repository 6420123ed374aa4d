public import FlagDefinitions
public import FlagDomain
public import FlagReview
import Foundation

/// What is wrong with an edited definition, and whom it would change.
public struct DefinitionReview: Sendable {
  /// Why the rule cannot be read, with line and column in the rule; nil where it can.
  public let ruleError: FlagError?
  /// What is wrong with the flag, in lines and columns of the document.
  public let diagnostics: [DocumentDiagnostic]
  /// Whom the change gives another variant; nil where the definition cannot be served.
  public let estimate: AudienceEstimate?

  /// Whether the definition may be saved.
  public var isServable: Bool { ruleError == nil && !diagnostics.contains { $0.severity == .error } }
}

extension FlagBrowser {
  /// Returns a flag's definition, to be edited.
  public func draft(of key: String) throws(FlagError) -> DefinitionDraft {
    try DefinitionDraft(key, in: try storedDefinitions)
  }

  /// Checks an edited definition, and estimates whom it would change.
  ///
  /// - Throws: An error where the flag is no longer there.
  public func review(_ draft: DefinitionDraft) throws(FlagError) -> DefinitionReview {
    let stored = try storedDefinitions
    let text: [UInt8]
    do throws(FlagError) {
      text = try draft.text(in: stored.text)
    } catch {
      guard error.code == .parseError else { throw error }
      return DefinitionReview(ruleError: error, diagnostics: [], estimate: nil)
    }
    let diagnostics = FlagDocument.diagnostics(in: Data(text), of: draft.key)
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      return DefinitionReview(ruleError: nil, diagnostics: diagnostics, estimate: nil)
    }
    let new: StoredDefinitions
    do throws(FlagDocumentError) {
      new = try StoredDefinitions(parsing: text, bucketing: stored.document.bucketing)
    } catch {
      return DefinitionReview(ruleError: nil, diagnostics: error.diagnostics, estimate: nil)
    }
    let comparison = try DefinitionComparison(from: stored, to: new)
    return DefinitionReview(
      ruleError: nil, diagnostics: diagnostics,
      estimate: comparison.estimate(of: draft.key, among: Audience(users: 2000), at: options.now()))
  }

  /// Saves an edited definition, if the document still has the version that the draft is from.
  ///
  /// - Throws: A `DefinitionStoreError`, whose code is `CONFLICT` where someone else was faster, or a `FlagError`.
  @discardableResult
  public func save(_ draft: DefinitionDraft) async throws -> StoredDefinitions {
    try checkWritable()
    guard let store = ports.definitions else { throw FlagError(.general, "no definitions can be edited here") }
    let stored = try storedDefinitions
    guard stored.version == draft.version else {
      throw DefinitionStoreError(conflictIn: store.name, expected: draft.version, found: stored.version)
    }
    let review = try review(draft)
    if let error = review.ruleError { throw error }
    guard review.isServable else {
      throw DefinitionStoreError(
        .invalid, store: store.name, "expected a definition that can be served", diagnostics: review.diagnostics)
    }
    let text = try draft.text(in: stored.text)
    guard let publishing = ports.publishing else {
      return try await store.replace(with: text, expecting: draft.version)
    }
    return try await publish(text, over: draft.version, in: publishing, because: "edited \(draft.key)")
  }

  private var storedDefinitions: StoredDefinitions {
    get throws(FlagError) {
      guard let store = ports.definitions else { throw FlagError(.general, "no definitions can be edited here") }
      guard let stored = store.current else { throw FlagError(.providerNotReady, "\(store.name): no document yet") }
      return stored
    }
  }
}

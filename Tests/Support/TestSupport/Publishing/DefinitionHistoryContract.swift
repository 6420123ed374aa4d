import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
package import FlagPublishing
package import Testing

/// The contract of stores that keep earlier states of their document, as checks that any store's tests can run.
///
/// ```swift
/// @Test("Meets the contract of every history")
/// func meetsContract() async throws {
///   try await DefinitionHistoryContract(store).check()
/// }
/// ```
///
/// It writes to the store, and waits for the store's updates: give the test a time limit. At its end, it also checks
/// ``DefinitionStoreContract``.
package struct DefinitionHistoryContract: Sendable {
  private let store: any DefinitionHistory
  private let note = PublicationNote(author: "contract", reason: "a \"reason\"\nof two lines – ever")

  /// Creates the contract of a store that has a document that can be served, and keeps at least ten states.
  package init(_ store: any DefinitionHistory) { self.store = store }

  /// Checks the whole contract; each violation is an issue at the caller's line.
  ///
  /// - Throws: The errors of writing to the store.
  package func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await checkPublishing(sourceLocation)
    try await checkConflict(sourceLocation)
    try await checkReplacing(sourceLocation)
    try await DefinitionStoreContract(store).check(sourceLocation: sourceLocation)
  }

  private func text(_ value: String) -> [UInt8] {
    Array(#"{"flags": {"a": {"state": "ENABLED", "variants": {"on": "\#(value)"}, "defaultVariant": "on"}}}"#.utf8)
  }

  private func head(_ location: SourceLocation) async throws -> PublishedHead {
    try #require(try await store.head(), "a document has a revision", sourceLocation: location)
  }

  /// Checks that what is published is the document, and the newest revision with its note.
  private func checkPublishing(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let old = try await store.text(of: before.revision.number)
    let after = try await store.publish(text("published"), expecting: before, note: note)
    #expect(after.revision.number == before.revision.number + 1, sourceLocation: location)
    #expect(after.revision.note == note && after.candidate == nil, sourceLocation: location)
    #expect(try await head(location) == after, sourceLocation: location)
    #expect(store.current?.text == text("published"), "what is published is seen at once", sourceLocation: location)
    #expect(store.current?.version == after.revision.version, sourceLocation: location)
    #expect(
      try await store.history(limit: 2) == [after.revision, before.revision], "newest first", sourceLocation: location)
    #expect(try await store.history(limit: 1) == [after.revision], sourceLocation: location)
    #expect(try await store.text(of: after.revision.number) == text("published"), sourceLocation: location)
    #expect(try await store.text(of: before.revision.number) == old, "a state stays", sourceLocation: location)
    #expect(try await store.text(of: after.revision.number + 1) == nil, sourceLocation: location)
  }

  /// Checks that an author who has not seen the newest head changes nothing, and no one a document for a broken one.
  private func checkConflict(_ location: SourceLocation) async throws {
    let first = try await head(location)
    let second = try await store.publish(text("second"), expecting: first, note: note)
    for (expected, new, code) in [
      (nil, text("lost"), .conflict), (first, text("lost"), .conflict), (second, Array("{".utf8), .invalid),
    ] as [(PublishedHead?, [UInt8], DefinitionStoreError.Code)] {
      let error = await #expect(throws: DefinitionStoreError.self, sourceLocation: location) {
        try await store.publish(new, expecting: expected, note: note)
      }
      #expect(error?.code == code, sourceLocation: location)
    }
    #expect(try await head(location) == second, sourceLocation: location)
    #expect(try await store.history(limit: 2) == [second.revision, first.revision], sourceLocation: location)
  }

  /// Checks that the versions of the ``DefinitionStore`` port are the numbers of revisions.
  private func checkReplacing(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let stored = try await store.replace(with: text("replaced"), expecting: before.revision.version)
    let after = try await head(location)
    #expect(after.revision.number == before.revision.number + 1, sourceLocation: location)
    #expect(stored.version == after.revision.version, sourceLocation: location)
    #expect(try await store.text(of: after.revision.number) == text("replaced"), sourceLocation: location)
  }
}

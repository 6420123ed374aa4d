package import FlagDefinitions

/// A history of every revision, including candidates that were withdrawn, that can stage a new one on a share of the
/// servers first.
///
/// Its `current` holds the definitions that its server runs: the candidate if the server's name falls into the
/// candidate's share, else the head's revision. The versions of a `DefinitionStore` are the numbers of its revisions,
/// so a version that was read through one port can be expected through the other. `replace(with:expecting:)` publishes
/// to all servers, expecting the head's revision; while there is a candidate it throws a `CONFLICT`, because the
/// candidate would be lost unnoticed. Every requirement may be called from any thread, and waits for the store's
/// response; a missing response is an error within the store's timeout.
package protocol PublishedDefinitionStore: DefinitionHistory {
  /// Publishes definitions as a new revision, atomically: both the history and the head are updated, or neither is.
  ///
  /// - Parameters:
  ///   - definitions: The new definitions; their version is ignored. If they have another format, their text is parsed
  ///     again in the store's format.
  ///   - head: The head that the publisher has seen; nil if nothing is expected to be published yet.
  ///   - percent: The share of the servers, 1 to 99, that runs it as a candidate; nil for all. The first revision of a
  ///     set always goes to all servers; a revision that is published while there is a candidate replaces the
  ///     candidate.
  ///   - note: The author of the revision, and the reason.
  /// - Returns: The new head.
  /// - Throws: `CONFLICT` if the head is another one, `UNREADABLE`, and `NOT_WRITTEN`; its message says if it is
  ///   unknown whether the store has written.
  @discardableResult
  func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, percent: Int?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead

  /// Changes the candidate's share; 100 makes it the head's revision, 0 withdraws it.
  ///
  /// - Parameters:
  ///   - percent: The share of the servers, 0 to 100.
  ///   - head: The head that the publisher has seen.
  /// - Returns: The new head.
  /// - Throws: `CONFLICT` if the head is another one, or has no candidate; `UNREADABLE`, `NOT_WRITTEN`.
  @discardableResult
  func stage(percent: Int, expecting head: PublishedHead) async throws(DefinitionStoreError) -> PublishedHead

  /// Removes the documents and notes of all but the newest revisions; those that the head refers to always stay.
  ///
  /// - Parameter count: The minimum number of revisions to keep: 1 or more.
  /// - Returns: The numbers of the removed revisions.
  /// - Throws: `UNREADABLE`, `NOT_WRITTEN`.
  @discardableResult
  func prune(keeping count: Int) async throws(DefinitionStoreError) -> [Int]

  /// Returns the reports of the set's servers, sorted by name.
  ///
  /// - Throws: `UNREADABLE`.
  func servers() async throws(DefinitionStoreError) -> [ServerReport]

  /// Stops following the set, and withdraws the server's report; the current definitions stay.
  func close() async
}

extension PublishedDefinitionStore {
  /// Publishes a document as a new revision, atomically.
  ///
  /// - Parameters:
  ///   - text: The new document, in the store's format.
  ///   - head: The head that the publisher has seen; nil if nothing is expected to be published yet.
  ///   - percent: The share of the servers, 1 to 99, that runs it as a candidate; nil for all.
  ///   - note: The author of the revision, and the reason.
  /// - Returns: The new head.
  /// - Throws: `INVALID` if the document cannot be served, and the errors of publishing definitions.
  @discardableResult
  package func publish(
    _ text: [UInt8], expecting head: PublishedHead?, percent: Int?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    try await publish(
      try StoredDefinitions(parsing: text, format: format, of: name), expecting: head, percent: percent, note: note)
  }
}

public import FlagDefinitions

/// A store that keeps earlier states of its document, with their authors and reasons.
///
/// The versions of the `DefinitionStore` are the numbers of the states, which are called revisions, so a version that
/// was read through one port can be expected through the other. Every requirement may be called from any thread, and
/// waits for the store.
public protocol DefinitionHistory: DefinitionStore {
  /// The format of the definitions.
  var format: any DefinitionFormat { get }

  /// Returns the head, which has the current revision; nil until there is one.
  ///
  /// - Throws: `UNREADABLE` if the store does not respond, or its response is malformed.
  func head() async throws(DefinitionStoreError) -> PublishedHead?

  /// Returns the revisions that are kept, newest first.
  ///
  /// - Parameter limit: The maximum number of revisions.
  /// - Returns: The newest revisions.
  /// - Throws: `UNREADABLE`.
  func history(limit: Int) async throws(DefinitionStoreError) -> [PublishedRevision]

  /// Returns the document of one revision: JSON in UTF-8; nil if there is no such revision, or it was removed.
  ///
  /// - Throws: `UNREADABLE`.
  func text(of revision: Int) async throws(DefinitionStoreError) -> [UInt8]?

  /// Replaces the document by a new revision, atomically.
  ///
  /// - Parameters:
  ///   - definitions: The new definitions; their version is ignored.
  ///   - head: The head that the author has seen; nil if nothing is expected to be there yet.
  ///   - note: The author of the revision, and the reason.
  /// - Returns: The new head.
  /// - Throws: `CONFLICT` if the head is another one, `UNREADABLE`, and `NOT_WRITTEN`.
  @discardableResult
  func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead
}

extension DefinitionHistory {
  /// Replaces the document by a new revision, atomically.
  ///
  /// - Parameters:
  ///   - text: The new document, in the store's format.
  ///   - head: The head that the author has seen; nil if nothing is expected to be there yet.
  ///   - note: The author of the revision, and the reason.
  /// - Returns: The new head.
  /// - Throws: `INVALID` if the document cannot be served, and the errors of publishing definitions.
  @discardableResult
  public func publish(
    _ text: [UInt8], expecting head: PublishedHead?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    try await publish(
      try StoredDefinitions(parsing: text, format: format, of: name), expecting: head, note: note)
  }
}

extension PublishedDefinitionStore {
  /// Publishes definitions to all servers.
  @discardableResult
  public func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    try await publish(definitions, expecting: head, percent: nil, note: note)
  }
}

package import FlagDefinitions

/// A store of published definitions that operators repair and tidy up.
///
/// A part that others have damaged hides nothing else: what can be read is read, and the rest is named.
package protocol MaintainedDefinitionStore: PublishedDefinitionStore {
  /// Returns the parts of the set that cannot be used, sorted by key; empty if there is none.
  ///
  /// It reads the head, the history and the documents that servers run, and looks whether the others are complete.
  ///
  /// - Throws: `UNREADABLE` if the store does not respond.
  func brokenParts() async throws(DefinitionStoreError) -> [BrokenPart]

  /// Publishes definitions to all servers in place of a head that cannot be read.
  ///
  /// - Parameters:
  ///   - definitions: The new definitions; their version is ignored.
  ///   - note: The author of the revision, and the reason.
  /// - Returns: The new head.
  /// - Throws: `CONFLICT` if the head can be read, as after someone else has repaired it, and the errors of publishing.
  @discardableResult
  func replaceBrokenHead(
    with definitions: StoredDefinitions, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead

  /// Makes room of what was removed available again, where the store does not do that by itself.
  ///
  /// - Returns: The number of bytes by which the store became smaller.
  /// - Throws: `NOT_WRITTEN`; its message says what was not done, and where.
  @discardableResult
  func reclaimSpace() async throws(DefinitionStoreError) -> Int64

  /// Removes an absent server from the list of servers.
  ///
  /// - Parameter server: The server's name.
  /// - Returns: Whether it was removed: a server that reports stays.
  /// - Throws: `NOT_WRITTEN`.
  @discardableResult
  func forget(server: String) async throws(DefinitionStoreError) -> Bool
}

public import FlagDomain

/// A store of definitions: the port that files, services and key-value stores implement.
///
/// Servers and consoles depend only on this port. Every requirement may be called from any thread.
public protocol DefinitionStore: Sendable {
  /// The name of the store in messages, such as a path.
  var name: String { get }

  /// The last good definitions; nil until there are any.
  ///
  /// It does not wait for a disk or the network. While the store is broken or unavailable, the definitions stay.
  var current: StoredDefinitions? { get }

  /// The definitions and the state of the store at this moment.
  ///
  /// By default, the current definitions are the newest. It is read while a lock is held: it must return at once, and
  /// call no subscriber.
  var status: DefinitionStatus { get }

  /// Reads the definitions again, and returns when that is done; the default does nothing.
  ///
  /// - Throws: The reason why they cannot be read or served; the current definitions stay.
  func refresh() async throws(DefinitionStoreError)

  /// Calls a closure with every update of the definitions, until the subscription ends.
  ///
  /// The closure receives the current definitions, if there are any, before this returns; then every change, and every
  /// failure to read or to parse the store's document. After a failure, it receives the definitions again even if they
  /// are unchanged. It is called for one update at a time, in order, with no lock held. A slow subscriber may miss
  /// updates that are stale, and ends on the newest definitions.
  func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription

  /// Replaces the document, if the store still has the version that the caller has seen.
  ///
  /// When it returns, ``current`` is the new document, or one that has replaced it since.
  ///
  /// - Parameters:
  ///   - text: The new document. One that cannot be served is rejected.
  ///   - version: The version that it replaces; nil if the store is expected to have no document yet.
  /// - Returns: The stored definitions.
  /// - Throws: An error whose code distinguishes a conflict, a document that cannot be served, and a store that is not
  ///   written.
  @discardableResult
  func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions
}

extension DefinitionStore {
  /// The current definitions, as the newest.
  public var status: DefinitionStatus { DefinitionStatus(current, isSettled: current != nil) }

  /// Does nothing: the store reads its definitions by itself.
  public func refresh() async throws(DefinitionStoreError) {}
}

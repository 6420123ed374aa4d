public import FlagDomain

/// Where definitions are kept: the port that files, services and key-value stores are put behind.
///
/// Servers and consoles know this port alone. Every requirement may be called from any thread.
public protocol DefinitionStore: Sendable {
  /// What messages call the store, such as a path.
  var name: String { get }

  /// The definitions that were good last; nil until there were any.
  ///
  /// It waits for no disk and no network. While the store is broken or away, they stay.
  var current: StoredDefinitions? { get }

  /// The definitions and the state of the store at this moment.
  ///
  /// The default says that the current definitions are the newest. It is read while a lock is held: it returns at once,
  /// and calls no subscriber.
  var standing: DefinitionStanding { get }

  /// Reads the definitions again, and waits for the end of that; the default does nothing.
  ///
  /// - Throws: The reason why they cannot be read or served; the current definitions stay.
  func refresh() async throws(DefinitionStoreError)

  /// Tells a closure what becomes of the definitions, until the subscription ends.
  ///
  /// The current definitions, where there are any, are told before this returns. Then every change is, and every
  /// failure to read or to understand what the store has; definitions that come back after a failure are told again.
  /// The closure is called for one thing at a time, in order, with no lock held. A slow one may miss what is no longer
  /// true, and ends on the newest definitions.
  func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription

  /// Replaces the document, if the store still has the version that the caller has seen.
  ///
  /// When it returns, ``current`` is the new document, or one that has replaced it since.
  ///
  /// - Parameters:
  ///   - text: The new document. One that cannot be served is refused.
  ///   - version: The version that it takes the place of; nil where there is to be no document yet.
  /// - Returns: What is stored now.
  /// - Throws: An error whose code tells a conflict from what cannot be served, and from a store that is not written.
  @discardableResult
  func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions
}

extension DefinitionStore {
  /// The current definitions, as the newest.
  public var standing: DefinitionStanding { DefinitionStanding(current, isSettled: current != nil) }

  /// Does nothing: the store reads its definitions by itself.
  public func refresh() async throws(DefinitionStoreError) {}
}

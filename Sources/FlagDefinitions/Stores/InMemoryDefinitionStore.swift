public import FlagDomain

/// Definitions that the program itself sets, as a test or a preview does.
public final class InMemoryDefinitionStore: DefinitionStore {
  /// What messages call the store.
  public let name: String
  private let format: any DefinitionFormat
  private let updates: DefinitionUpdates

  /// Creates a store with a document.
  ///
  /// - Parameters:
  ///   - text: The document; nil for none yet.
  ///   - name: What messages call the store.
  ///   - format: The document's format.
  /// - Throws: An error with everything that keeps the document from being served.
  public init(
    _ text: String? = nil, name: String = "in memory", format: any DefinitionFormat = .inHouse
  ) throws(DefinitionStoreError) {
    self.name = name
    self.format = format
    do throws(FlagDocumentError) {
      updates = DefinitionUpdates(
        try text.map { text throws(FlagDocumentError) in
          try StoredDefinitions(parsing: Array(text.utf8), format: format)
        })
    } catch {
      throw DefinitionStoreError(error, store: name)
    }
  }
}

extension InMemoryDefinitionStore {
  /// The last document that could be served.
  public var current: StoredDefinitions? { updates.current }

  /// The last document that could be served, and the reason why a later one could not.
  public var standing: DefinitionStanding { updates.standing }

  /// Tells a closure what becomes of the document, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Sets the document, as someone else's edit would: one that cannot be served is told as a failure.
  public func set(_ text: String) { updates.tell { _ in parse(Array(text.utf8)) } }

  /// Replaces the document, if it still has the version that the caller has seen.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let new = try parse(text).get()
    let conflict = Locked<DefinitionStoreError?>(nil)
    updates.tell { [name] current in
      guard current?.version == version else {
        let error = DefinitionStoreError(conflictIn: name, expected: version, found: current?.version)
        conflict.withLock { $0 = error }
        return nil
      }
      return .success(new)
    }
    if let conflict = conflict.withLock({ $0 }) { throw conflict }
    return new
  }

  private func parse(_ text: [UInt8]) -> Result<StoredDefinitions, DefinitionStoreError> {
    do throws(FlagDocumentError) {
      return .success(try StoredDefinitions(parsing: text, format: format))
    } catch {
      return .failure(DefinitionStoreError(error, store: name))
    }
  }
}

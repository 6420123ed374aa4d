public import FlagDomain

/// A store in memory for definitions that the program itself sets, such as a test or a preview.
public final class InMemoryDefinitionStore: DefinitionStore {
  /// The name of the store in messages.
  public let name: String
  private let format: any DefinitionFormat
  private let updates: DefinitionUpdates

  /// Creates a store with a document.
  ///
  /// - Parameters:
  ///   - text: The document; nil for a store without a document.
  ///   - name: The name of the store in messages.
  ///   - format: The document's format.
  /// - Throws: An error with all reasons why the document cannot be served.
  public init(
    _ text: String? = nil, name: String = "in memory", format: any DefinitionFormat = .inHouse
  ) throws(DefinitionStoreError) {
    self.name = name
    self.format = format
    updates = DefinitionUpdates(
      try text.map { text throws(DefinitionStoreError) in
        try StoredDefinitions(parsing: Array(text.utf8), format: format, of: name)
      })
  }

  /// The last document that could be served.
  public var current: StoredDefinitions? { updates.current }

  /// The last document that could be served, and the error of a later one that could not.
  public var status: DefinitionStatus { updates.status }

  /// Calls a closure with every update of the document, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Sets the document like an external edit: subscribers receive a failure if it cannot be served.
  public func set(_ text: String) { updates.notify { _ in parse(Array(text.utf8)) } }

  /// Replaces the document, if it still has the version that the caller has seen.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let new = try parse(text).get()
    let conflict = Locked<DefinitionStoreError?>(nil)
    updates.notify { [name] current in
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
    Result { () throws(DefinitionStoreError) in try StoredDefinitions(parsing: text, format: format, of: name) }
  }
}

public import FlagDomain

/// Several stores as one: of two flags with one key, that of the later store counts.
///
/// A rule finds the shared rules of its own document alone. While one store is broken, its last good definitions stay.
/// There are no definitions before every store has some.
public final class MergedDefinitionStore: DefinitionStore {
  /// The names of the stores.
  public let name: String
  private let stores: [any DefinitionStore]
  private let bucketing: Bucketing
  private let updates = DefinitionUpdates()
  private let subscriptions = Locked<[FlagSubscription]>([])

  /// Merges stores, in their order.
  public init(_ stores: [any DefinitionStore], bucketing: Bucketing = .v3) {
    name = stores.map(\.name).joined(separator: ", ")
    self.stores = stores
    self.bucketing = bucketing
    let subscriptions = stores.map { store in
      store.subscribe { [weak self] update in
        switch update {
        case .success: self?.merge()
        case .failure(let error): self?.updates.tell(.failure(error))
        }
      }
    }
    self.subscriptions.withLock { $0 = subscriptions }
  }
}

extension MergedDefinitionStore {
  /// The merged definitions.
  public var current: StoredDefinitions? { updates.current }

  /// Tells a closure what becomes of the merged definitions, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Throws: which of the stores would have to be written, a merged document does not say.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    throw DefinitionStoreError(.notWritten, store: name, "expected one store, found \(stores.count) that are merged")
  }

  private func merge() {
    updates.tell { _ in
      let definitions = stores.compactMap(\.current)
      guard definitions.count == stores.count else { return nil }
      do throws(FlagDocumentError) {
        return .success(try StoredDefinitions(merging: definitions, bucketing: bucketing))
      } catch {
        return .failure(DefinitionStoreError(error, store: name))
      }
    }
  }
}

public import FlagDomain

/// Several stores as one: of two flags with one key, that of the later store counts.
///
/// A rule finds the shared rules of its own document alone. While one store is broken, its last good definitions stay.
/// There are no definitions before every store has some.
public final class MergedDefinitionStore: DefinitionStore {
  /// The names of the stores.
  public let name: String
  package let stores: [any DefinitionStore]
  private let bucketing: Bucketing
  private let updates = DefinitionUpdates()
  private let subscriptions = Locked<[FlagSubscription]>([])
  /// The parts that were merged last.
  private let merged = Locked<[StoredDefinitions]>([])

  /// Merges stores, in their order.
  public init(_ stores: [any DefinitionStore], bucketing: Bucketing = .v3) {
    name = stores.map(\.name).joined(separator: ", ")
    self.stores = stores
    self.bucketing = bucketing
    let subscriptions = stores.map { store in
      store.subscribe { [weak self] update in
        switch update {
        case .success: self?.merge()
        case .failure(let error): self?.updates.tell(again: true) { _ in .failure(error) }
        }
      }
    }
    self.subscriptions.withLock { $0 = subscriptions }
  }
}

extension MergedDefinitionStore {
  /// The merged definitions.
  public var current: StoredDefinitions? { updates.current }

  /// The merged definitions, which are as old as the oldest part, and the first failure of a part.
  public var standing: DefinitionStanding {
    let parts = stores.map(\.standing)
    var standing = updates.standing
    standing.origin = parts.map(\.origin).first { $0 != .store } ?? .store
    standing.fetchedAt = parts.compactMap(\.fetchedAt).min()
    standing.failure = parts.lazy.compactMap(\.failure).first ?? standing.failure
    standing.isSettled = parts.allSatisfy(\.isSettled)
    standing.findings = parts.flatMap(\.findings)
    return standing
  }

  /// Reads all stores again, one after the other.
  public func refresh() async throws(DefinitionStoreError) {
    for store in stores { try await store.refresh() }
  }

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
    updates.tell(again: true) { known in
      let parts = stores.compactMap(\.current)
      guard parts.count == stores.count else { return nil }
      let isKnown = merged.withLock { merged in
        defer { merged = parts }
        return merged.elementsEqual(parts) { $0.version == $1.version && $0.text == $1.text }
      }
      if isKnown, let known { return .success(known) }
      if parts.count == 1 { return .success(parts[0]) }
      do throws(FlagDocumentError) {
        return .success(try StoredDefinitions(merging: parts, bucketing: bucketing))
      } catch {
        return .failure(DefinitionStoreError(error, store: name))
      }
    }
  }
}

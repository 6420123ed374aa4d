public import FlagDomain

/// Several stores merged into one: if two stores have a flag with the same key, the later store's counts.
///
/// A rule refers only to the shared rules of its own document. While one store is broken, its last good definitions
/// stay. There are no definitions until every store has some.
public final class MergedDefinitionStore: DefinitionStore {
  /// The names of the stores, joined by commas.
  public let name: String
  package let stores: [any DefinitionStore]
  private let format: (any DefinitionFormat)?
  private let updates = DefinitionUpdates()
  private let subscriptions = Locked<[FlagSubscription]>([])
  private let state = Locked(State())

  private struct State {
    /// The last parts that were merged.
    var merged: [StoredDefinitions] = []
    /// The reason why the current parts cannot be merged.
    var mergeFailure: DefinitionStoreError?
    /// The stores' last failures, by the position of the store.
    var failures: [Int: DefinitionStoreError] = [:]

    var failure: DefinitionStoreError? { failures.min { $0.key < $1.key }?.value ?? mergeFailure }
  }

  /// Merges stores of one format, in their order.
  ///
  /// - Parameters:
  ///   - stores: The stores.
  ///   - format: The format that merges their definitions; nil for the first store's.
  public init(_ stores: [any DefinitionStore], format: (any DefinitionFormat)? = nil) {
    name = stores.map(\.name).joined(separator: ", ")
    self.stores = stores
    self.format = format
    let subscriptions = stores.enumerated().map { place, store in
      store.subscribe { [weak self] update in self?.take(update, of: place) }
    }
    self.subscriptions.withLock { $0 = subscriptions }
  }

  /// The merged definitions.
  public var current: StoredDefinitions? { updates.current }

  /// The merged definitions, which are as old as the oldest part, and the first failure.
  public var status: DefinitionStatus {
    let parts = stores.map(\.status)
    var status = DefinitionStatus(updates.current, isSettled: parts.allSatisfy(\.isSettled))
    status.origin = parts.map(\.origin).first { $0 != .store } ?? .store
    status.fetchedAt = parts.compactMap(\.fetchedAt).min()
    status.contactedAt = parts.compactMap(\.contactedAt).min()
    status.isConnected = parts.allSatisfy(\.isConnected)
    status.failure = parts.lazy.compactMap(\.failure).first ?? state.withLock { $0.failure.map { FlagError($0) } }
    status.findings = parts.flatMap(\.findings)
    let updates = parts.compactMap(\.updates)
    status.updates = updates.first { $0.error != nil } ?? updates.first { $0 != .streaming } ?? updates.first
    return status
  }

  /// Reads all stores again, one after the other.
  public func refresh() async throws(DefinitionStoreError) {
    for store in stores { try await store.refresh() }
  }

  /// Calls a closure with every update of the merged definitions, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Throws, because a merged document does not say which of the stores to write to.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    throw DefinitionStoreError(
      .notWritten, store: name, "expected one store to write to, found \(stores.count) merged ones")
  }

  /// Merges again after a store's successful update, and publishes the failure that remains, if any.
  private func take(_ update: DefinitionUpdates.Update, of place: Int) {
    switch update {
    case .success:
      state.withLock { $0.failures[place] = nil }
      updates.notify(again: true) { merge(with: $0) }
    case .failure(let error): state.withLock { $0.failures[place] = error }
    }
    updates.notify(again: true) { _ in state.withLock { $0.failure }.map { .failure($0) } }
  }

  /// Returns the current parts merged; nil while one of the stores has no definitions, or if they cannot be merged.
  private func merge(with known: StoredDefinitions?) -> DefinitionUpdates.Update? {
    let parts = stores.compactMap(\.current)
    guard parts.count == stores.count else { return nil }
    let isKnown = state.withLock { $0.merged.elementsEqual(parts) { $0.version == $1.version && $0.text == $1.text } }
    if isKnown, let known { return .success(known) }
    do throws(FlagDocumentError) {
      let new = try StoredDefinitions(merging: parts, format: format)
      state.withLock { ($0.merged, $0.mergeFailure) = (parts, nil) }
      return .success(new)
    } catch {
      let failure = DefinitionStoreError(error, store: name)
      state.withLock { $0.mergeFailure = failure }
      return nil
    }
  }
}

import FlagDefinitions
import FlagDomain

/// The state of the stores of served definitions: whether they can be reached, and how old the definitions may be.
struct Freshness: Sendable {
  let store: any DefinitionStore
  /// The stores that the store merges, or the store itself.
  let parts: [any DefinitionStore]
  /// The maximum age of the last confirmation; nil for any.
  let maximumAge: Duration?

  /// Returns whether the definitions may be out of date after an update of the store.
  func isStale(after update: Result<StoredDefinitions, DefinitionStoreError>) -> Bool {
    if case .failure = update { true } else { store.status.isStale }
  }

  /// Returns the age of the last confirmation in seconds if it is above the maximum; else nil.
  ///
  /// A store that does not say when it confirmed its definitions has no age.
  func excessiveAge(at seconds: Int64) -> Int64? {
    guard let maximumAge, let confirmed = store.status.fetchedAt else { return nil }
    let age = max(0, seconds - confirmed)
    return .seconds(age) > maximumAge ? age : nil
  }

  func gauges(at seconds: Int64) -> [ServerMetrics.StoreGauges] {
    parts.map { store in
      let status = store.status
      return ServerMetrics.StoreGauges(
        name: store.name, isConnected: status.isConnected, contactedAt: status.contactedAt,
        revision: status.definitions?.version.revision, age: status.fetchedAt.map { max(0, seconds - $0) })
    }
  }
}

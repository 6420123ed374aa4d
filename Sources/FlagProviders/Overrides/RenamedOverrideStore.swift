public import FlagDomain

/// A store that keeps the overrides of some flags under names of its own, such as those that an app has stored already.
public struct RenamedOverrideStore<Upstream: FlagOverrideStore>: FlagOverrideStore {
  private let upstream: Upstream
  private let names: [FlagKey: FlagKey]
  private let keys: [FlagKey: FlagKey]

  fileprivate init(_ upstream: Upstream, _ names: [FlagKey: FlagKey]) {
    self.upstream = upstream
    self.names = names
    keys = Dictionary(names.map { ($1, $0) }) { $0 < $1 ? $0 : $1 }
  }

  /// Returns every stored override by the key of its flag.
  ///
  /// - Throws: The other store's error.
  public func load() throws(FlagError) -> [FlagKey: FlagValue] {
    var values: [FlagKey: FlagValue] = [:]
    for (name, value) in try upstream.load() {
      // An entry under the key of a renamed flag belongs to no flag.
      if let key = keys[name] ?? (names[name] == nil ? name : nil) { values[key] = value }
    }
    return values
  }

  /// Stores and deletes overrides under the store's names: all of them, or none.
  ///
  /// - Throws: The other store's error.
  public func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try upstream.write(Dictionary(values.map { (names[$0] ?? $0, $1) }) { $1 })
  }

  /// Calls a closure whenever others may have changed the stored overrides, until the subscription ends.
  ///
  /// - Throws: The other store's error.
  public func subscribe(_ onChange: @escaping @Sendable (FlagError?) -> Void) throws(FlagError) -> FlagSubscription {
    try upstream.subscribe(onChange)
  }
}

extension FlagOverrideStore {
  /// Returns a store that keeps the overrides of some flags under names of its own.
  ///
  /// The names must be valid keys, and differ: `store.renamed(["new-search": "ff-NewSearch"])`. Overrides of other
  /// flags are stored under their keys.
  public func renamed(_ names: [FlagKey: String]) -> RenamedOverrideStore<Self> {
    RenamedOverrideStore(self, names.mapValues { FlagKey(stringLiteral: $0) })
  }
}

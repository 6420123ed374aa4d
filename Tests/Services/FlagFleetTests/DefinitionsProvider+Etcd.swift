import FlagDefinitions
import FlagFleet
import FlagProviders
import FlagRemote

/// A provider over sets in etcd, as an app makes it, and access to its stores.
extension DefinitionStoreProvider {
  /// Creates a provider of sets in etcd, with an environment for each.
  convenience init(
    sets: [String], server: String? = nil, settings: EtcdSettings, environment: () -> ServiceEnvironment
  ) {
    let stores = sets.map {
      EtcdDefinitionStore(set: $0, server: server, settings: settings, environment: environment())
    }
    self.init(MergedDefinitionStore(stores), name: "etcd")
  }

  convenience init(sets: [String], settings: EtcdSettings) {
    self.init(sets: sets, settings: settings) { ServiceEnvironment(settings.certificates) }
  }

  /// Stops following and reporting.
  func close() async { for store in sets { await store.close() } }

  /// Returns when the definitions that were read by now are cached.
  func waitForWrites() async { for store in sets { await store.waitForWrites() } }

  private var sets: [EtcdDefinitionStore] {
    ((store as? MergedDefinitionStore)?.stores ?? []).compactMap { $0 as? EtcdDefinitionStore }
  }
}

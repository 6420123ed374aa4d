import FlagDefinitions
import FlagDomain
import FlagFleet
import FlagProviders
import FlagRemote
import Foundation

/// Providers over stores with a network, as an app makes them, and access to their stores.
extension DefinitionsProvider {
  /// Creates a provider of a service's definitions.
  convenience init(
    _ url: URL, events: URL? = nil, options: ServiceOptions = ServiceOptions(), environment: ServiceEnvironment? = nil,
    time: WallClock = .system
  ) throws(FlagError) {
    let environment = environment ?? ServiceEnvironment(options.certificates)
    self.init(
      try HTTPDefinitionStore(url, events: events, options: options, environment: environment),
      clock: time)
  }

  /// Serves the newest definitions of the service.
  func activate() { (store as? HTTPDefinitionStore)?.activate() }

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
  func waitForWrites() async {
    for store in sets { await store.waitForWrites() }
    await (store as? HTTPDefinitionStore)?.waitForWrites()
  }

  private var sets: [EtcdDefinitionStore] {
    ((store as? MergedDefinitionStore)?.stores ?? []).compactMap { $0 as? EtcdDefinitionStore }
  }
}

import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagRemote
import Foundation

/// A provider over a service, as an app makes it, and access to its store.
extension DefinitionStoreProvider {
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

  /// Returns when the definitions that were read by now are cached.
  func waitForWrites() async { await (store as? HTTPDefinitionStore)?.waitForWrites() }
}

package import FlagDefinitions
package import FlagFleet
import FlagPublishing

/// The address of a set of published definitions: its name, its cluster, and the server that runs it.
package struct FleetAddress: Sendable {
  /// The name of the set.
  package let set: String
  /// The cluster and its credentials.
  package var settings: EtcdSettings
  /// The encoding whose hash decides a user's share.
  package var bucketing = Bucketing.v3
  /// The name of the server that the store is for; nil for one that does not take part in candidates.
  package var server: String?

  static func connect(_ address: FleetAddress) -> any MaintainedDefinitionStore {
    EtcdDefinitionStore(
      set: address.set, server: address.server, settings: address.settings,
      format: .inHouse(bucketing: address.bucketing))
  }
}

extension Terminal {
  func store(at address: FleetAddress) throws(ToolError) -> any MaintainedDefinitionStore {
    do {
      return try connect(address)
    } catch let error as DefinitionStoreError {
      throw .published(error)
    } catch {
      throw .usage("--etcd: \(error)")
    }
  }
}

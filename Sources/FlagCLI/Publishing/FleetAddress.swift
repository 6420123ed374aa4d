public import FlagDefinitions
import FlagDomain
import FlagFleet
public import FlagRemote

/// Where the published definitions of a set are kept, and as whom they are read and written.
public struct FleetAddress: Hashable, Sendable {
  /// The URLs of the cluster's members.
  public var endpoints: [String]
  /// The name of the set.
  public var set: String
  /// What the keys begin with.
  public var prefix = "/flags"
  /// The hosts, beside the machine itself, that may be asked without encryption.
  public var plaintextHosts: Set<String> = []
  /// The certificates of the cluster and of who asks; nil for those that the system trusts, and for none.
  public var certificates: CertificateFiles?
  /// The name and the password to sign in with; nil where everybody is let in.
  public var credentials: Credentials?
  /// Which bytes decide a user's share.
  public var bucketing = Bucketing.v3
  /// The name of the server that the store is for; nil for who takes no part in candidates.
  public var server: String?

  /// A name with its password.
  public struct Credentials: Hashable, Sendable {
    /// The name of a user of the cluster.
    public var user: String
    /// The user's password.
    public var password: String

    /// Creates credentials.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// Creates the address of a set.
  public init(endpoints: [String], set: String) {
    self.endpoints = endpoints
    self.set = set
  }
}

/// A store that was opened.
public struct FleetConnection: Sendable {
  /// The store.
  public let store: any PublishedDefinitionStore
  /// Ends what the store does, and takes back what it said of its server.
  public let close: @Sendable () async -> Void

  /// Creates a connection; unless told otherwise, there is nothing to be ended.
  public init(store: any PublishedDefinitionStore, close: @escaping @Sendable () async -> Void = {}) {
    self.store = store
    self.close = close
  }
}

extension FleetAddress {
  static func connect(_ address: FleetAddress) throws -> FleetConnection {
    var settings = try EtcdSettings(
      endpoints: address.endpoints, user: address.credentials?.user, password: address.credentials?.password,
      prefix: address.prefix, plaintextHosts: address.plaintextHosts)
    settings.certificates = address.certificates
    let store = EtcdDefinitionStore(
      set: address.set, server: address.server, settings: settings, bucketing: address.bucketing)
    return FleetConnection(store: store) { await store.close() }
  }
}

extension Terminal {
  func connection(to address: FleetAddress) throws(ToolError) -> FleetConnection {
    do {
      return try connect(address)
    } catch let error as DefinitionStoreError {
      throw .published(error)
    } catch let error as FlagError {
      throw .usage("--etcd: \(error.message)")
    } catch {
      throw .usage("--etcd: \(error)")
    }
  }
}

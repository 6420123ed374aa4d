import FlagDefinitions

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
  /// The name and the password to sign in with; nil where everybody is let in.
  public var credentials: Credentials?
  /// The name of the server that the store is for; nil for who takes no part in candidates.
  public var server: String?
  /// Who publishes by replacing the document, as the console does.
  public var author = ""

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

extension FleetAddress {
  /// Opens the store of an address.
  static func connect(_ address: FleetAddress) throws -> any PublishedDefinitionStore {
    throw DefinitionStoreError(.unreadable, store: address.set, "expected a store, found that none is built in")
  }
}

extension Terminal {
  /// Opens the store of an address.
  func store(at address: FleetAddress) throws(ToolError) -> any PublishedDefinitionStore {
    do {
      return try connect(address)
    } catch let error as DefinitionStoreError {
      throw .published(error)
    } catch {
      throw .usage("--etcd: \(error)")
    }
  }
}

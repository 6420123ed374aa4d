import FlagDefinitions
package import FlagDomain
package import FlagPublishing
package import FlagRemote

/// A store of test users in a set of definitions in etcd, under a key of its own: `PREFIX/SET/users`.
///
/// Servers do not read it. All members may be used from any thread.
package final class EtcdTestUserStore: TestUserStore {
  /// The key.
  package let name: String
  private let key: String
  private let client: EtcdClient
  private let users = Locked<[TestUser]>([])

  /// Creates a store; nothing is read yet.
  ///
  /// - Parameters:
  ///   - set: The name of the set.
  ///   - settings: The members and the limits.
  package convenience init(set: String, settings: EtcdSettings) {
    self.init(set: set, settings: settings, environment: ServiceEnvironment(settings.certificates))
  }

  package init(set: String, settings: EtcdSettings, environment: ServiceEnvironment) {
    key = EtcdKeys(prefix: settings.prefix, set: set).users
    name = "etcd \(key)"
    client = EtcdClient(settings, environment)
  }

  /// The users that were read or written last, in order.
  package var current: [TestUser] { users.withLock { $0 } }

  /// Reads the users from a quorum of the members.
  package func refresh() async throws(FlagError) {
    let users = try await read().users
    self.users.withLock { $0 = users }
  }

  /// Changes the users, and reads them again if someone else changed them meanwhile.
  package func change(
    _ edit: @escaping @Sendable ([TestUser]) throws(FlagError) -> [TestUser]
  ) async throws(FlagError) {
    for _ in 0..<Self.maximumAttempts {
      let (old, revision) = try await read()
      let users = try edit(old)
      let text = try TestUser.lines(of: users)
      let outcome = try await named { () throws(EtcdError) in
        try await client.transact(where: [.modRevision(key, revision)], [.put(key, text)])
      }
      guard outcome.isWritten else { continue }
      return self.users.withLock { $0 = users }
    }
    throw FlagError(.general, "\(name): expected to write, found that others changed the test users again and again")
  }

  private static let maximumAttempts = 5

  private func read() async throws(FlagError) -> (users: [TestUser], revision: Int64) {
    let entry = try await named { () throws(EtcdError) in try await client.entry(key) }
    guard let entry else { return ([], 0) }
    do throws(FlagError) {
      return (try TestUser.reading(lines: String(decoding: entry.value, as: UTF8.self)), entry.modRevision)
    } catch {
      throw FlagError(error.code, "\(name): \(error.message)")
    }
  }

  private func named<Value: Sendable>(
    _ ask: () async throws(EtcdError) -> Value
  ) async throws(FlagError) -> Value {
    do throws(EtcdError) {
      return try await ask()
    } catch {
      throw FlagError(.general, "\(name): \(error)")
    }
  }
}

package import FlagDomain
package import FlagPublishing

/// Test users in memory, for tests and previews.
package final class InMemoryTestUserStore: TestUserStore {
  /// The name of the store in messages.
  package let name = "in memory"
  private let users: Locked<[TestUser]>

  /// Creates a store of users.
  package init(_ users: [TestUser] = []) { self.users = Locked(users) }

  /// The users, in order.
  package var current: [TestUser] { users.withLock { $0 } }

  /// Does nothing.
  package func refresh() async {}

  /// Changes the users.
  package func change(
    _ edit: @escaping @Sendable ([TestUser]) throws(FlagError) -> [TestUser]
  ) async throws(FlagError) {
    try users.withLock { users throws(FlagError) in users = try edit(users) }
  }
}

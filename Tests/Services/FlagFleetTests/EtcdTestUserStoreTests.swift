import FlagDefinitions
import FlagDomain
import FlagPublishing
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("Test users in etcd", .timeLimit(.minutes(15)))
struct EtcdTestUserStoreTests {
  @Test("Test users are kept in the set under a key of their own, and two writers lose nothing")
  func keeps() async throws {
    let etcd = FakeEtcd()
    let (one, other) = (try Self.store(etcd), try Self.store(etcd))
    try await one.refresh()
    #expect(one.current.isEmpty && one.name == "etcd /flags/app/users")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in [one, other].enumerated() {
        group.addTask { try await store.change { $0 + [TestUser(name: "user \(index)", attributes: ["a": 1])] } }
      }
      try await group.waitForAll()
    }
    try await one.refresh()
    #expect(Set(one.current.map(\.name)) == ["user 0", "user 1"])
    let stored = etcd.state.value.entries["/flags/app/users"]?.value ?? []
    #expect(String(decoding: stored, as: UTF8.self).split(separator: "\n").count == 2)
  }

  @Test("A key that has no test users in it is said, and is not replaced")
  func refuses() async throws {
    let etcd = FakeEtcd()
    etcd.put("/flags/app/users", "[1]")
    let store = try Self.store(etcd)
    let error = await #expect(throws: FlagError.self) { try await store.change { _ in [] } }
    #expect(error?.message == "etcd /flags/app/users: line 1: expected an object of attributes, found array")
    #expect(etcd.state.value.entries["/flags/app/users"]?.value == Array("[1]".utf8))
  }

  private static func store(_ etcd: FakeEtcd) throws -> EtcdTestUserStore {
    EtcdTestUserStore(
      set: "app", settings: try EtcdSettings(endpoints: ["https://etcd-0"]), environment: ServiceEnvironment(etcd))
  }
}

import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagPublishing
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("Servers of a set on etcd, in memory", .timeLimit(.minutes(15)))
struct EtcdServersTests {
  private static func store(
    _ etcd: FakeEtcd, at member: String = "a", server: String? = nil, _ edit: (inout EtcdSettings) -> Void = { _ in }
  ) throws -> EtcdDefinitionStore {
    var settings = try EtcdSettings(endpoints: ["https://\(member)"])
    settings.reportLifetime = .milliseconds(300)
    edit(&settings)
    var environment = ServiceEnvironment(etcd)
    environment.date = { HTTPDate(secondsSince1970: 1_700_000_000) }
    return EtcdDefinitionStore(set: "app", server: server, settings: settings, environment: environment)
  }

  private static func publish(_ store: EtcdDefinitionStore) async throws {
    try await store.publish(
      Array(HTTPResponse.document(1).utf8), expecting: nil, percent: nil, note: PublicationNote(author: "ann"))
  }

  /// Waits until the report of a server and its sign of life are as expected; nil for none.
  private static func wait(
    for etcd: FakeEtcd, _ server: String, until isExpected: @escaping @Sendable (String?, FakeEtcd.Entry?) -> Bool
  ) async {
    let key = "/flags/app/servers/\(server)"
    await etcd.state.wait { state in
      let report = state.entries[key].map { String(decoding: $0.value, as: UTF8.self) }
      return isExpected(report, state.entries["\(key)/live"])
    }
  }

  @Test("A server without a sign of life is absent until it is taken out, or comes back; one that reports stays")
  func listsAbsent() async throws {
    let isCut = Watched(false)
    let refusals = Watched(0)
    let etcd = FakeEtcd { _, request in
      guard isCut.value, request.host == "server" else { return nil }
      if request.path.hasPrefix("lease") { refusals.change { $0 += 1 } }
      return .failure(.notConnected("connection refused"))
    }
    let store = try Self.store(etcd)
    try await Self.publish(store)
    let server = try Self.store(etcd, at: "server", server: "web/1") { $0.timeout = .milliseconds(100) }
    await Self.wait(for: etcd, "web%2F1") { $0 != nil && $1 != nil }
    #expect(try await store.servers().map(\.isAbsent) == [false])
    #expect(try await store.forget(server: "web/1") == false)
    let report = ServerReport(name: "web/1", revision: 1, timestamp: 1_700_000_000, isAbsent: true)
    for isForgotten in [false, true] {
      isCut.change { $0 = true }
      let before = refusals.value
      await refusals.wait { $0 > before }
      // As etcd does when a lease is over.
      etcd.state.change { state in
        state.leases = []
        state.remove("/flags/app/servers/web%2F1/live")
      }
      #expect(try await store.servers() == [report])
      if isForgotten { #expect(try await store.forget(server: "web/1")) }
      #expect(try await store.servers() == (isForgotten ? [] : [report]))
      isCut.change { $0 = false }
      await Self.wait(for: etcd, "web%2F1") { $0 != nil && $1 != nil }
    }
    withExtendedLifetime(server) {}
  }

  @Test("Two servers of one name say so, both, and no longer than there are two")
  func tellsNamesakes() async throws {
    let etcd = FakeEtcd()
    let store = try Self.store(etcd)
    try await Self.publish(store)
    let calls = Watched<[Int]>([])
    let servers = try (0..<2).map { number in
      try Self.store(etcd, server: "web") { $0.onNameShared = { calls.change { $0.append(number) } } }
    }
    await calls.wait { Set($0).count == 2 }
    await Self.wait(for: etcd, "web") { report, _ in report?.contains(#""isNameShared":true"#) == true }
    #expect(try await store.servers().map(\.isNameShared) == [true])
    await servers[0].close()
    await Self.wait(for: etcd, "web") { report, live in report?.contains("isNameShared") == false && live != nil }
    #expect(try await store.servers() == [ServerReport(name: "web", revision: 1, timestamp: 1_700_000_000)])
    await servers[1].close()
    #expect(try await store.servers() == [])
  }

  @Test("Broken reports are listed")
  func readsOthers() async throws {
    let etcd = FakeEtcd()
    let store = try Self.store(etcd)
    etcd.put("/flags/app/servers/bad", "garbage")
    etcd.put("/flags/app/servers/half/live", "garbage")
    let reports = try await store.servers()
    #expect(reports.map(\.name) == ["bad", "half"])
    #expect(reports.map(\.isAbsent) == [true, false])
    #expect(reports.map { $0.failure != nil } == [true, true])
    #expect(try await store.forget(server: "bad"))
  }

  @Test("A store says whether it is connected, when etcd last answered, and when it confirmed the definitions")
  func saysStatus() async throws {
    let isCut = Watched(false)
    let etcd = FakeEtcd { _, _ in isCut.value ? .failure(.notConnected("connection refused")) : nil }
    let store = try Self.store(etcd)
    #expect(!store.status.isConnected)
    try await Self.publish(store)
    _ = await etcd.watch(0)
    while !store.status.isConnected { await Task.yield() }
    #expect(store.status.contactedAt == 1_700_000_000 && store.status.fetchedAt == 1_700_000_000)
    #expect(!store.status.isStale)
    isCut.change { $0 = true }
    etcd.say("end\n")
    while !store.status.isStale { await Task.yield() }
    #expect(!store.status.isConnected && store.status.contactedAt == 1_700_000_000)
  }
}

import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagPublishing
import FlagServices
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("A provider over etcd, in memory", .timeLimit(.minutes(15)))
struct EtcdProviderTests {
  private static let note = PublicationNote(author: "ann")

  private func environment(_ etcd: FakeEtcd, date: Int64 = 1_700_000_000) -> ServiceEnvironment {
    var environment = ServiceEnvironment(etcd)
    environment.randomness = { 0 }
    environment.date = { HTTPDate(secondsSince1970: date) }
    return environment
  }

  private func provider(
    _ etcd: FakeEtcd, sets: [String] = ["app"], server: String? = nil, cache: AnswerCache? = nil,
    date: Int64 = 1_700_000_000, timeout: Duration = .seconds(10), endpoints: [String] = ["https://a", "https://b"],
    onCacheError: @escaping @Sendable (FlagError) -> Void = { _ in }
  ) throws -> DefinitionStoreProvider {
    var settings = try EtcdSettings(endpoints: endpoints)
    settings.timeout = timeout
    settings.cache = cache
    settings.onCacheError = onCacheError
    return DefinitionStoreProvider(sets: sets, server: server, settings: settings) { environment(etcd, date: date) }
  }

  private func publish(_ text: String, to set: String = "app", of etcd: FakeEtcd, percent: Int? = nil) async throws {
    let store = EtcdDefinitionStore(
      set: set, settings: try EtcdSettings(endpoints: ["https://a"]), environment: environment(etcd))
    try await store.publish(
      Array(text.utf8), expecting: try await store.head(), percent: percent, note: Self.note)
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let etcd = FakeEtcd()
    try await publish(HTTPResponse.document(1), of: etcd)
    let provider = try provider(etcd)
    await provider.wait { $0.providerStatus.state == .ready }
    var contract = ProviderContract(provider, present: ["size": 1], absent: "none")
    contract.change = .init(to: ["size": 2]) {
      try await publish(HTTPResponse.document(2), of: etcd)
      await provider.wait { $0.read("size").value == 2 }
    }
    try await contract.check()
  }

  @Test("Before there is anything it has no values, and says why")
  func beginsEmpty() async throws {
    let etcd = FakeEtcd()
    let provider = try provider(etcd)
    #expect(provider.read("size") == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    await provider.wait { $0.providerStatus.state == .error }
    #expect(provider.providerStatus.error?.message == "etcd /flags/app: expected a published set, found none")
    try await publish(HTTPResponse.document(1), of: etcd)
    await provider.wait { $0.read("size") == Reading(1, "STATIC") }
    #expect(provider.providerStatus.state == .ready)
  }

  @Test("Of several sets the later one counts, and one that is broken keeps its last good definitions")
  func mergesSets() async throws {
    func flags(_ flags: [String: Int]) -> String {
      let members = flags.map { #""\#($0)": {"state": "ENABLED", "variants": {"v": \#($1)}, "defaultVariant": "v"}"# }
      return "{\"flags\": {\(members.joined(separator: ","))}}"
    }
    let etcd = FakeEtcd()
    try await publish(flags(["a": 1, "b": 1]), to: "base", of: etcd)
    let provider = try provider(etcd, sets: ["base", "shop"])
    await provider.wait { $0.providerStatus.error != nil }
    #expect(provider.read("a").why == "PROVIDER_NOT_READY", "nothing is served before all of it is there")
    try await publish(flags(["b": 2, "c": 2]), to: "shop", of: etcd)
    await provider.wait { $0.providerStatus.state == .ready }
    func read() -> [FlagValue?] { ["a", "b", "c"].map { provider.read($0).value } }
    #expect(read() == [1, 2, 2])
    etcd.put("/flags/shop/head", "{")
    await provider.wait { $0.providerStatus.state == .stale }
    #expect(provider.providerStatus.error?.code == .parseError)
    #expect(read() == [1, 2, 2])
    try await publish(flags(["a": 3]), to: "base", of: etcd)
    await provider.wait { $0.read("a") == Reading(3, "STALE") }
    #expect(read() == [3, 2, 2], "the other set goes on")
  }

  @Test(
    "Without a member it serves the cached document, first as CACHED and then as STALE, and recovers; other members count"
  )
  func startsWithoutEtcd() async throws {
    let folder = CacheFolder()
    let cache = AnswerCache(in: folder.url)
    let isDown = Watched(false)
    let etcd = FakeEtcd { _, _ in isDown.value ? .failure(.notConnected("connection refused")) : nil }
    try await publish(HTTPResponse.document(1), of: etcd)
    let first = try provider(etcd, cache: cache)
    await first.wait { $0.read("size") == Reading(1, "STATIC") }
    await first.waitForWrites()
    isDown.change { $0 = true }
    let second = try provider(etcd, cache: cache, date: 1_700_000_100, endpoints: ["https://c"])
    #expect(second.read("size").value == 1)
    await second.wait { $0.read("size") == Reading(1, "STALE") }
    #expect(second.providerStatus.values == .cached(fetchedAt: 1_700_000_000))
    #expect(second.providerStatus.state == .stale)
    let impatient = try provider(etcd, timeout: .milliseconds(20))
    await #expect(throws: FlagError.self) { try await impatient.refresh() }
    isDown.change { $0 = false }
    await second.wait { $0.read("size") == Reading(1, "STATIC") }
    #expect(second.providerStatus == ProviderStatus(.fresh, isSettled: true))
    try await publish(HTTPResponse.document(2), of: etcd)
    await second.wait { $0.read("size") == Reading(2, "STATIC") }
    try await second.refresh()
    // The folder is removed when the test is over.
    await second.waitForWrites()
  }

  @Test("A stored entry that is broken is reported, and not used")
  func reportsBrokenCache() async throws {
    let folder = CacheFolder()
    let cache = AnswerCache(in: folder.url)
    let etcd = FakeEtcd()
    try await publish(HTTPResponse.document(1), of: etcd)
    let first = try provider(etcd, cache: cache)
    await first.wait { $0.providerStatus.state == .ready }
    await first.waitForWrites()
    for file in try folder.files where file.pathExtension == "cache" { try Data("broken".utf8).write(to: file) }
    let errors = Watched<[FlagError]>([])
    let second = try provider(FakeEtcd { _, _ in .silence }, cache: cache) { error in
      errors.change { $0.append(error) }
    }
    #expect(errors.value.map(\.code) == [.parseError])
    #expect(second.read("size").why == "PROVIDER_NOT_READY")
  }

  @Test("A candidate is served to its share alone")
  func servesCandidate() async throws {
    let etcd = FakeEtcd()
    try await publish(HTTPResponse.document(1), of: etcd)
    let revision = PublishedRevision(number: 2, fingerprint: "", note: Self.note, timestamp: 0)
    let staged = StagedRevision(revision: revision, percent: 50)
    let names = (0..<100).map { "web-\($0)" }
    let inside = try #require(names.first { staged.includes(server: $0) })
    let outside = try #require(names.first { !staged.includes(server: $0) })
    let providers = try [inside, outside].map { try provider(etcd, server: $0) } + [try provider(etcd)]
    for provider in providers { await provider.wait { $0.providerStatus.state == .ready } }
    try await publish(HTTPResponse.document(2), of: etcd, percent: 50)
    await providers[0].wait { $0.read("size").value == 2 }
    for provider in providers { try await provider.refresh() }
    #expect(providers.map { $0.read("size").value } == [2, 1, 1])
    for provider in providers { await provider.close() }
    #expect(etcd.state.value.leases.isEmpty)
  }
  @Test("A member with an untrusted certificate is tried once, and then the others")
  func goesAroundStrangers() async throws {
    let problem = "TLS: the host's certificate is not trusted"
    let areAll = Watched(false)
    let etcd = FakeEtcd { _, request in
      request.host == "a" || areAll.value ? .failure(.certificate(problem)) : nil
    }
    var settings = try EtcdSettings(endpoints: ["https://a", "https://b", "https://c"])
    settings.timeout = .seconds(600)
    let store = EtcdDefinitionStore(set: "app", settings: settings, environment: environment(etcd))
    #expect(try await store.head() == nil)
    #expect(try await store.head() == nil)
    #expect(etcd.requests.filter { $0.path == "kv/txn" }.map(\.host) == ["a", "b", "b"])
    areAll.change { $0 = true }
    let error = await #expect(throws: DefinitionStoreError.self) { try await store.head() }
    #expect(error?.message == problem)
    #expect(etcd.requests.filter { $0.path == "kv/txn" }.suffix(3).map(\.host) == ["b", "c", "a"])
  }
}

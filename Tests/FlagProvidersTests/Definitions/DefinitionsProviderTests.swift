import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import Testing

@Suite("A provider over stores of definitions", .timeLimit(.minutes(15)))
struct DefinitionsProviderTests {
  private func text(_ flags: [String: Int]) -> String {
    let members = flags.map { #""\#($0)": {"state": "ENABLED", "variants": {"v": \#($1)}, "defaultVariant": "v"}"# }
    return "{\"flags\": {\(members.joined(separator: ","))}}"
  }

  private func read(_ key: FlagKey, from provider: DefinitionStoreProvider) throws -> FlagAnswer? {
    try provider.snapshot().answer(for: key, in: EvaluationContext())
  }

  @Test("Meets the contract of every provider, over a store in memory")
  func meetsContract() async throws {
    let store = try InMemoryDefinitionStore(text(["a": 1]))
    var contract = ProviderContract(DefinitionStoreProvider(store), present: ["a": 1], absent: "absent")
    contract.change = .init(to: ["a": 2]) { store.set(text(["a": 2])) }
    try await contract.check()
  }

  @Test("While a store cannot be served its last definitions are stale, and good ones end that")
  func becomesStale() throws {
    let store = try InMemoryDefinitionStore(text(["a": 1]))
    let provider = DefinitionStoreProvider(store)
    #expect(provider.providerStatus == ProviderStatus(.fresh, isSettled: true))
    #expect(try read("a", from: provider)?.reason == .static)
    store.set("{")
    #expect(provider.providerStatus.state == .stale)
    #expect(provider.providerStatus.error?.code == .parseError)
    let stale = try read("a", from: provider)
    #expect(stale?.value == 1 && stale?.reason == .stale)
    store.set(text(["a": 2]))
    #expect(provider.providerStatus.state == .ready)
    let fresh = try read("a", from: provider)
    #expect(fresh?.value == 2 && fresh?.reason == .static)
  }

  @Test("Without definitions it is not ready, and each flag says so")
  func isNotReady() throws {
    let store = try InMemoryDefinitionStore()
    let provider = DefinitionStoreProvider(store, name: "later")
    #expect(provider.providerStatus == ProviderStatus(.defaults, isSettled: false))
    let error = #expect(throws: FlagError.self) { try read("a", from: provider) }
    #expect(error?.code == .providerNotReady && error?.provider == "later" && error?.key == "a")
    store.set(text(["a": 1]))
    #expect(try read("a", from: provider)?.value == 1)
    #expect(provider.document.map { Array($0.keys) } == ["a"])
  }

  @Test("Of merged stores the later one counts, and one that is broken makes all answers stale")
  func mergesStores() throws {
    let stores = try [InMemoryDefinitionStore(text(["a": 1, "b": 1])), InMemoryDefinitionStore(text(["b": 2]))]
    let provider = DefinitionStoreProvider(MergedDefinitionStore(stores))
    func values() throws -> [FlagValue?] { try ["a", "b"].map { try read($0, from: provider)?.value } }
    #expect(try values() == [1, 2])
    stores[1].set("{")
    #expect(provider.providerStatus.state == .stale)
    stores[0].set(text(["a": 3, "b": 3]))
    #expect(try values() == [3, 2], "the other store goes on")
    #expect(provider.providerStatus.state == .stale)
    stores[1].set(text(["b": 4]))
    #expect(try values() == [3, 4])
    #expect(provider.providerStatus.state == .ready)
  }

  @Test("A failure to merge stays one, however often a part says again what it has")
  func keepsMergeFailure() throws {
    let store = try InMemoryDefinitionStore(text(["a": 1]))
    let other = SilentStore(try StoredDefinitions(parsing: Array(text(["b": 1]).utf8)))
    let merged = MergedDefinitionStore([store, other])
    #expect(merged.status.failure == nil)
    store.set("{")
    #expect(merged.status.failure?.code == .parseError)
    let received = Locked<[Bool]>([])
    let subscription = merged.subscribe { update in
      if case .failure = update {
        received.withLock { $0.append(false) }
      } else {
        received.withLock { $0.append(true) }
      }
    }
    other.tellAgain()
    #expect(received.withLock { $0.last } == false, "the failure of the first part is told after the second's success")
    #expect(merged.status.failure?.code == .parseError)
    subscription.cancel()
  }

  @Test("A failure in an update of a store makes its definitions stale, even if the status of the store has none")
  func hearsFailures() throws {
    let store = SilentStore(try StoredDefinitions(parsing: Array(text(["a": 1]).utf8)))
    let provider = DefinitionStoreProvider(store)
    #expect(provider.providerStatus.state == .ready)
    store.tellFailure()
    #expect(provider.providerStatus.state == .stale)
    #expect(try read("a", from: provider)?.reason == .stale)
    store.tellAgain()
    #expect(provider.providerStatus.state == .ready)
  }

  @Test("A provider that is let go of is no subscriber of its store any more")
  func releasesStore() throws {
    let store = try InMemoryDefinitionStore(text(["a": 1]))
    weak var leaked: DefinitionStoreProvider?
    do {
      let provider = DefinitionStoreProvider(store)
      leaked = provider
      #expect(try read("a", from: provider)?.value == 1)
    }
    #expect(leaked == nil)
    store.set(text(["a": 2]))
    #expect(store.current?.text == Array(text(["a": 2]).utf8))
  }
}

/// A store that has what every store must have, and nothing else.
private final class SilentStore: DefinitionStore {
  let name = "silent"
  let current: StoredDefinitions?
  private let closures = Locked<[@Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void]>([])

  init(_ definitions: StoredDefinitions) { current = definitions }

  func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    closures.withLock { $0.append(onUpdate) }
    if let current { onUpdate(.success(current)) }
    return FlagSubscription {}
  }

  func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    throw DefinitionStoreError(.notWritten, store: name, "expected no write")
  }

  func tellAgain() {
    guard let current else { return }
    for closure in closures.withLock({ $0 }) { closure(.success(current)) }
  }

  func tellFailure() {
    let error = DefinitionStoreError(.unreadable, store: name, "away")
    for closure in closures.withLock({ $0 }) { closure(.failure(error)) }
  }
}

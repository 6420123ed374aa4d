import FlagComposition
import FlagDomain
import FlagProviders
import Testing

@Suite("Providers of a composition")
struct ProvidersTests {
  private let flag = Flag("provided", default: 0, "")

  @Test("The list of providers can be replaced, in one change")
  func replaces() async throws {
    let first = InMemoryProvider(name: "first", [flag.key: 1])
    let flags = try compose { first }
    #expect(readings(of: flag, in: flags) == [1])
    var changes = flags.observer.changes().makeAsyncIterator()
    let second = InMemoryProvider(name: "second", [flag.key: 2])
    try flags.setProviders { second }
    #expect(try #require(await changes.next()).causes.contains(.providers))
    #expect(readings(of: flag, in: flags) == [2])
    first.write(3, for: flag.key)
    #expect(readings(of: flag, in: flags) == [2])
    second.write(4, for: flag.key)
    #expect(readings(of: flag, in: flags) == [4])
    #expect(flags.providerNames == ["second"])
    #expect(flags.writer.writableProviders == ["second"])
  }

  @Test("Providers that come later hear who is signed in, before the call returns")
  func tellsUser() throws {
    let flags = try compose {}
    let ann = FlagUser(id: "ann")
    flags.authenticator.setUser(ann)
    let provider = PerUserProvider()
    try flags.setProviders { provider }
    #expect(provider.users == [ann])
  }

  @Test("Providers that share a name are refused, and those of before stay")
  func refusesSharedNames() throws {
    let flags = try compose { InMemoryProvider([flag.key: 1]) }
    #expect(throws: FeatureFlagClientError.sharedProviderName("in memory")) {
      try flags.setProviders {
        InMemoryProvider(); InMemoryProvider()
      }
    }
    #expect(readings(of: flag, in: flags) == [1])
  }

  @Test("One call has every provider fetch anew that can, behind wrappers, too, and says which could not")
  func refreshes() async throws {
    let outage = FlagError(.general, "outage")
    let (working, failing) = (Refreshing("working"), Refreshing("failing", failing: outage))
    let flags = try compose {
      working.readOnly(); InMemoryProvider(); failing.excluding([])
    }
    #expect(await flags.refresh() == ["failing": outage])
    #expect([working, failing].map(\.count) == [1, 1])
  }

  private final class Refreshing: FlagProvider, ProviderSnapshot {
    let name: String
    private let error: FlagError?
    private let calls = Locked(0)

    init(_ name: String, failing error: FlagError? = nil) {
      self.name = name
      self.error = error
    }

    var count: Int { calls.withLock { $0 } }

    func snapshot() -> any ProviderSnapshot { self }
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
    func refresh() async throws(FlagError) {
      calls.withLock { $0 += 1 }
      if let error { throw error }
    }
  }
}

@Suite("Descriptions of a client")
struct DescriptionTests {
  private let count = Flag("described.count", default: 1, "")
  private let language = Flag("described.language", default: "python", "")

  private func start(_ provider: InMemoryProvider = InMemoryProvider()) throws -> FeatureFlagClient {
    let catalog = FlagCatalog("described") {
      count; language
    }
    return try FeatureFlagClient(catalogs: [catalog]) { provider }
  }

  @Test("A description has every flag and its value")
  func describes() throws {
    #expect("\(try start())" == "described.count = 1\ndescribed.language = \"python\"")
  }

  @Test("The text for a report of a bug says why values are what they are, and what failed")
  func explains() throws {
    let flags = try start(InMemoryProvider(["described.count": "many"]))
    try flags.overrides.override(language, with: "swift")
    flags.authenticator.setUser(FlagUser(id: "ann"))
    #expect(
      flags.bugReport == """
        providers: in memory
        signed in: yes
        described.count = 1 (ERROR)
          TYPE_MISMATCH (flag described.count, provider in memory): expected Int, found string "many"
        described.language = "swift" (OVERRIDE, overrides)
        """)
  }

  @Test("Changes can be had with the values that they made others")
  func tellsValues() async throws {
    let provider = InMemoryProvider()
    let flags = try start(provider)
    var changes = flags.valueChanges().makeAsyncIterator()
    provider.write(1, for: count.key)
    provider.write(["unknown": 1])
    provider.write(2, for: count.key)
    #expect(await changes.next()?.values == [count.key: 2])
    try flags.overrides.override(language, with: "swift")
    #expect(
      await changes.next()
        == FlagValueChange(
          FlagChange(keys: .some(["described.language"]), causes: [.override]), values: [language.key: "swift"]))
  }
}

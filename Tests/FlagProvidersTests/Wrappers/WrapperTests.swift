import FlagDomain
import FlagProviders
import FlagTesting
import TestSupport
import Testing

@Suite("Wrappers")
struct WrapperTests {
  private let provider = InMemoryProvider(["app.on": true, "on": false, "size": 20])

  @Test("Meets the contract of every provider: under a prefix")
  func prefixed() async throws {
    let wrapped = provider.prefixed(with: "app")
    var contract = ProviderContract(wrapped, present: ["on": true], absent: "size")
    contract.change = .init(to: ["on": 1, "off": 2]) { try wrapped.write(["on": 1, "off": 2]) }
    try await contract.check()
    #expect(provider.snapshot().value(of: "app.off") == 2)
    #expect(provider.snapshot().value(of: "on") == false)
  }

  @Test("Meets the contract of every provider: under other names")
  func renamed() async throws {
    let wrapped = provider.renamed(["page-size": "size", "size": "on"])
    var contract = ProviderContract(wrapped, present: ["page-size": 20, "size": false, "on": false], absent: "off")
    contract.change = .init(to: ["page-size": 30, "size": true, "on": true]) {
      try wrapped.write(["page-size": 30, "size": true])
    }
    try await contract.check()
  }

  @Test("Meets the contract of every provider: without some keys")
  func excluding() async throws {
    let wrapped = provider.excluding(["size"])
    var contract = ProviderContract(wrapped, present: ["on": false], absent: "size")
    contract.change = .init(to: ["on": true]) { try wrapped.write(true, for: "on") }
    try await contract.check()
    #expect(throws: FlagError(.flagNotFound, "expected a key that is not left out", key: "size", provider: "in memory"))
    {
      try wrapped.write(["on": 1, "size": 1])
    }
    #expect(provider.snapshot().value(of: "on") == true)
  }

  @Test("Meets the contract of every provider: some keys only")
  func only() async throws {
    let wrapped = provider.only(["size"])
    var contract = ProviderContract(wrapped, present: ["size": 20], absent: "on")
    contract.change = .init(to: ["size": 30]) { try wrapped.write(30, for: "size") }
    try await contract.check()
    #expect(throws: FlagError.self) { try wrapped.write(1, for: "on") }
    let received = Recorder<ChangedKeys>()
    let subscription = wrapped.subscribe { received.record($0) }
    defer { subscription.cancel() }
    provider.write(true, for: "on")
    #expect(received.events.isEmpty)
  }

  @Test("The flags of a set are the only ones, or left out")
  func sets() {
    let key: FlagKey = "size", other: FlagKey = "on"
    let (only, rest) = (provider.only(Sizes.self), provider.excluding(Sizes.self))
    #expect(only.snapshot().value(of: key) == 20 && only.snapshot().value(of: other) == nil)
    #expect(rest.snapshot().value(of: key) == nil && rest.snapshot().value(of: other) == false)
  }

  @Test("The flags of an enum are the only ones, or left out")
  func enums() {
    let key: FlagKey = "size", other: FlagKey = "on"
    let (only, rest) = (provider.only(SizeFlag.self), provider.excluding(SizeFlag.self))
    #expect(only.snapshot().value(of: key) == 20 && only.snapshot().value(of: other) == nil)
    #expect(rest.snapshot().value(of: key) == nil && rest.snapshot().value(of: other) == false)
  }

  @Test("Meets the contract of every provider: under another name")
  func named() async throws {
    let wrapped = provider.named("first")
    #expect(wrapped.name == "first")
    #expect(wrapped.only(["on"]).name == "first")
    var contract = ProviderContract(wrapped, present: ["size": 20], absent: "off")
    contract.change = .init(to: ["size": 30]) { try wrapped.write(30, for: "size") }
    try await contract.check()
  }

  @Test("Removing a key that is left out does nothing, so that a provider can be reset as a whole")
  func removesLeftOut() throws {
    try provider.excluding(["size"]).write(["on": nil, "size": nil])
    #expect(provider.values == ["app.on": true, "size": 20])
  }

  @Test("Meets the contract of every provider: read-only")
  func readOnly() async throws {
    let wrapped = provider.readOnly()
    var contract = ProviderContract(wrapped, present: ["on": false], absent: "off")
    contract.change = .init(to: ["on": true]) { provider.write(true, for: "on") }
    try await contract.check()
    #expect(!((wrapped as Any) is any WritableFlagProvider))
  }

  @Test("Changes are reported under the wrapper's keys, and not at all if none is affected")
  func mapsChanges() {
    let received = Recorder<ChangedKeys>()
    let subscriptions = [
      provider.prefixed(with: "app").subscribe { received.record($0) },
      provider.renamed(["page-size": "size", "size": "on"]).subscribe { received.record($0) },
      provider.excluding(["size"]).subscribe { received.record($0) },
    ]
    provider.write(["size": 1, "app.on": false])
    #expect(received.events == [.some(["on"]), .some(["page-size", "app.on"]), .some(["app.on"])])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("Wrappers nest, and pass contexts, status, errors and text on")
  func nests() async throws {
    let upstream = RecordingProvider()
    let wrapped = upstream.prefixed(with: "a").renamed(["x": "y"]).excluding(["z"]).readOnly()
    let context = EvaluationContext(user: FlagUser(id: "1"), attributes: ["version": 7], anonymousID: "v")
    wrapped.setContext(context)
    #expect(upstream.contexts.events == [context])
    #expect(wrapped.name == "recording" && wrapped.isPersonal && wrapped.providerStatus == upstream.providerStatus)
    await #expect(throws: FlagError(.general, "not fetched")) { try await wrapped.refresh() }
    #expect(wrapped.snapshot().textReader != nil)
    #expect(throws: FlagError(.general, "expected", key: "a.y")) {
      try wrapped.snapshot().answer(for: "x", in: EvaluationContext())
    }
  }

  @Test("What the provider behind cannot write, the wrapper cannot")
  func conformsConditionally() {
    let wrapped: Any = EnvironmentProvider(variables: [:]).prefixed(with: "a")
    #expect(!(wrapped is any WritableFlagProvider))
  }

  /// Fails for each key, differs from the defaults in all else, and records its contexts.
  private struct RecordingProvider: FlagProvider, ProviderSnapshot {
    let name = "recording"
    let contexts = Recorder<EvaluationContext>()
    let providerStatus = ProviderStatus(.bundled, error: FlagError(.general, "offline"), isSettled: true)
    let isPersonal = true

    func snapshot() -> any ProviderSnapshot { self }
    func setContext(_ context: EvaluationContext) { contexts.record(context) }
    func refresh() async throws(FlagError) { throw FlagError(.general, "not fetched") }
    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      throw FlagError(.general, "expected", key: key)
    }
    var textReader: TextReader? { { .string($0) } }
  }
}

private struct Sizes: FlagSet {
  static let catalog = FlagCatalog("sizes") { Flag("size", default: 1, "A size.") }
  init(_ manager: any FeatureFlagManager) {}
}

private enum SizeFlag: String, CaseIterable, EnumeratedFlag {
  case size

  var defaultValue: Int { 0 }
}

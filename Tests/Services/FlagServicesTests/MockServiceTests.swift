import FlagDomain
import FlagMocks
import FlagProviders
import FlagServices
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("Mock services")
struct MockServiceTests {
  private let clock = ManualClock()
  private let ann = FlagUser(id: "ann", countryCode: "es")

  @Test("LaunchDarkly's stand-in identifies each user, and pushes that user's values")
  func identifies() async throws {
    let service = MockLaunchDarkly(["on": false]) { user in user?.countryCode == "es" ? ["on": true] : [:] }
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    #expect(provider.snapshot().value(of: "on") == false)
    provider.setUser(ann)
    try await provider.waitUntilReady()
    #expect(service.identifiedUser == ann)
    #expect(
      try provider.snapshot().answer(for: "on", in: EvaluationContext(user: ann))
        == FlagAnswer(true, reason: .targetingMatch))
    service.update(["extra": 1])
    #expect(provider.snapshot().value(of: "extra", for: ann) == 1)
  }

  @Test("Nothing is pushed during an outage; a refresh after it catches up")
  func survivesOutages() async throws {
    let service = MockLaunchDarkly(["on": false])
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    service.network.failure = .outage
    service.update(["on": true])
    #expect(provider.snapshot().value(of: "on") == false)
    service.network.failure = nil
    try await provider.refresh()
    #expect(provider.snapshot().value(of: "on") == true)
  }

  @Test("Firebase's stand-in asks its server once an interval and user")
  func throttles() async throws {
    let service = MockFirebaseRemoteConfig(network: MockNetwork(clock: clock)) { _ in ["on": "false"] }
    _ = try await service.fetch(for: nil)
    service.publish { _ in ["on": "true"] }
    clock.advance(by: .seconds(12 * 60 * 60 - 1))
    let provider = RemoteProvider(service, clock: clock)
    try await provider.waitUntilReady()
    #expect(provider.snapshot().value(of: "on") == "false")
    #expect(service.network.requests == 1)
    clock.advance(by: .seconds(1))
    try await provider.refresh()
    #expect(provider.snapshot().value(of: "on") == "true")
    #expect(service.network.requests == 2)
    provider.setUser(ann)
    try await provider.waitUntilReady()
    #expect(service.network.requests == 3)
  }

  @Test("Firebase's stand-in shows what was fetched only when it is activated")
  func activates() async throws {
    let service = MockFirebaseRemoteConfig(minimumFetchInterval: .zero) { _ in ["on": "false"] }
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    service.publish { _ in ["on": "true"] }
    try await service.fetchOnly(for: nil)
    #expect(provider.snapshot().value(of: "on") == "false")
    #expect(service.activate())
    #expect(provider.snapshot().value(of: "on") == "true")
    #expect(!service.activate())
  }

  @Test("Firebase's stand-in meets conditions on the user, and falls back to in-app defaults")
  func meetsConditions() async throws {
    let service = MockFirebaseRemoteConfig(defaults: ["size": "20", "on": "x"]) { user in
      ["on": user?.countryCode == "es" ? "true" : "false"]
    }
    let provider = RemoteProvider(service, clock: ManualClock())
    provider.setUser(ann)
    try await provider.waitUntilReady()
    let context = EvaluationContext(user: ann)
    #expect(try provider.snapshot().answer(for: "on", in: context) == FlagAnswer("true", reason: .unknown))
    #expect(try provider.snapshot().answer(for: "size", in: context) == FlagAnswer("20", reason: .default))
  }

  @Test("Firebase's strings are read as the flag's type, arrays and objects from JSON")
  func readsText() async throws {
    let service = MockFirebaseRemoteConfig { _ in ["on": "true", "countries": #"["es", "en"]"#, "broken": "[1,"] }
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    let reader = provider.snapshot().textReader
    #expect(try provider.snapshot().value(of: "on")?.decode(as: Bool.self, textReader: reader) == true)
    #expect(
      try provider.snapshot().value(of: "countries")?.decode(as: [String].self, textReader: reader) == ["es", "en"])
    #expect(throws: FlagError.self) {
      try provider.snapshot().value(of: "broken")?.decode(as: [Int].self, textReader: reader)
    }
  }

  @Test("The in-house service's definitions are evaluated for the user here, and renewed when they are outdated")
  func renews() async throws {
    let service = MockInHouseService(
      serving: ClosureProvider { _, context in context["countryCode"].map { FlagAnswer($0) } })
    let provider = RemoteProvider(service, clock: clock)
    provider.setUser(ann)
    try await provider.waitUntilReady()
    #expect(provider.snapshot().value(of: "country", for: ann) == "es")
    let (changes, continuation) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { continuation.yield($0) }
    service.serve(InMemoryProvider(["country": "pt"]))
    await clock.waitForSleeper(for: .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    for await _ in changes { break }
    #expect(provider.snapshot().value(of: "country", for: ann) == "pt")
    subscription.cancel()
  }

  @Test("The in-house service delivers definitions in the in-house format")
  func deliversDefinitions() async throws {
    let definitions = #"""
      {"flags": {"on": {"state": "ENABLED", "variants": {"yes": true, "no": false}, "defaultVariant": "no",
        "targeting": {"if": [{"==": [{"var": "countryCode"}, "es"]}, "yes", null]}}}}
      """#
    let service = try MockInHouseService(serving: InHouseProvider(data: Data(definitions.utf8)))
    let provider = RemoteProvider(service, clock: ManualClock())
    provider.setUser(ann)
    try await provider.waitUntilReady()
    let answer = try provider.snapshot().answer(for: "on", in: EvaluationContext(user: ann))
    #expect(answer == FlagAnswer(true, variant: "yes", reason: .targetingMatch))
  }

  @Test("Updates from several threads leave the client on the newest")
  func endsOnTheNewest() async throws {
    let service = MockLaunchDarkly(["n": 0])
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    for round in 0..<300 {
      await withTaskGroup { group in
        for half in 0..<2 { group.addTask { service.update(["n": .int(Int128(2 * round + half))]) } }
      }
      let shown = provider.snapshot().value(of: "n")
      try await provider.refresh()
      #expect(provider.snapshot().value(of: "n") == shown)
    }
  }

  @Test("A request takes the network's latency, and fails as the network does by then")
  func delays() async throws {
    let network = MockNetwork(latency: .seconds(3), clock: clock)
    let service = MockLaunchDarkly(["on": true], network: network)
    let fetching = Task { try await service.fetch(for: nil) }
    await clock.waitForSleepers(1)
    network.failure = .outage
    clock.advance(by: .seconds(3))
    await #expect(throws: FlagError.outage) { try await fetching.value }
    #expect(clock.now.sinceStart == .seconds(3))
  }
}

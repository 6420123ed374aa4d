import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

@Suite("A service as a store of definitions, over a network in memory", .timeLimit(.minutes(15)))
struct HTTPDefinitionStoreTests {
  @Test("Subscribers hear of the current definitions, each failure and each recovery; a service is not written to")
  func tellsSubscribers() async throws {
    let clock = ManualClock()
    let transport = FakeTransport { number, _ in
      switch number {
      case 1: HTTPResponse(.internalServerError)
      case 2: .definitions(1, tag: "\"a\"")
      case 3: .definitions(2, tag: "\"b\"")
      default: .definitions(1, tag: "\"a\"")
      }
    }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    let store = try HTTPDefinitionStore(Addresses.definitions, environment: environment)
    let received = Watched<[String]>([])
    let subscription = store.subscribe { update in
      let text =
        switch update {
        case .success(let stored): "\(stored.document.keys.joined()) \(stored.text.count)"
        case .failure(let error): "\(error.code) \(error.store)"
        }
      received.change { $0.append(text) }
    }
    let length = HTTPResponse.document(1).count
    await received.wait { $0 == ["size \(length)"] }
    await #expect(throws: DefinitionStoreError.self) { try await store.refresh() }
    await received.wait { $0.last == "UNREADABLE definitions of flags.example" }
    #expect(store.status.failure?.message == "flags.example: expected status 200, found 500 Internal Server Error")
    #expect(store.current?.text == Array(HTTPResponse.document(1).utf8))
    for _ in 0..<2 { try await store.refresh() }
    await received.wait { $0.count == 4 }
    #expect(store.status.failure == nil && store.status.isSettled)
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await store.replace(with: Array(HTTPResponse.document(3).utf8), expecting: store.current?.version)
    }
    #expect(error?.code == .notWritten)
    subscription.cancel()
  }

  @Test("A service that fails in another way than before is said to, by the store and by the provider")
  func tellsLaterFailures() async throws {
    let clock = ManualClock()
    let transport = FakeTransport { number, _ in HTTPResponse(number == 0 ? .serviceUnavailable : .unauthorized) }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    let store = try HTTPDefinitionStore(Addresses.definitions, environment: environment)
    let provider = DefinitionStoreProvider(store)
    await provider.wait { $0.providerStatus.error?.message.contains("503") == true }
    await #expect(throws: DefinitionStoreError.self) { try await store.refresh() }
    await provider.wait { $0.providerStatus.error?.message.contains("401") == true }
    #expect(provider.providerStatus == ProviderStatus(.defaults, error: provider.providerStatus.error, isSettled: true))
  }

  @Test("An app in the background asks nothing; in the foreground it asks once, and has its stream again")
  func restsInBackground() async throws {
    let clock = ManualClock()
    let transport = FakeTransport { _, request in
      request.url.path() == "/events" ? nil : .definitions(1, tag: "\"a\"")
    }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    let store = try HTTPDefinitionStore(Addresses.definitions, events: Addresses.events, environment: environment)
    let (provider, reporter) = (DefinitionStoreProvider(store), Reporter())
    let flags = try FeatureFlagClient(
      catalogs: [], configuration: .init { $0.reporter = reporter }, providers: { provider })
    _ = await transport.openStream(1)
    await transport.request(2)
    await provider.wait { $0.providerStatus.updates == .streaming }
    let status = provider.providerStatus
    store.enterBackground()
    await transport.waitForCancellation(1)
    for _ in 0..<10 {
      clock.advance(by: .seconds(60))
      #expect(clock.sleeping == 0)
    }
    #expect(transport.requests.count == 3 && provider.providerStatus == status)
    #expect(flags.providerStatuses[provider.name] == status && reporter.errors.value == [])
    try await store.refresh()
    #expect(transport.requests.count == 4 && clock.sleeping == 0)
    store.becomeActive()
    #expect(await transport.request(4).fields[.ifNoneMatch] == "\"a\"")
    _ = await transport.openStream(5)
    await provider.wait { $0.providerStatus.updates == .streaming }
    #expect(reporter.errors.value == [])
  }

  @Test("An app in the background neither polls nor retries", arguments: [true, false])
  func neitherPollsNorRetries(isGood: Bool) async throws {
    let clock = ManualClock()
    let transport = FakeTransport { _, _ in isGood ? .definitions(1) : HTTPResponse(.internalServerError) }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    let store = try HTTPDefinitionStore(Addresses.definitions, environment: environment)
    // The limit of the first request sleeps too, so a sleeper is not enough.
    await clock.waitForSleeper(for: isGood ? .seconds(30) : .milliseconds(500))
    store.enterBackground()
    #expect(clock.sleeping == 0)
    clock.advance(by: .seconds(600))
    #expect(transport.requests.count == 1)
    store.becomeActive()
    await transport.request(1)
    await clock.waitForSleeper(for: isGood ? .seconds(30) : .seconds(1))
  }
}

/// Remembers what was reported.
private final class Reporter: FlagErrorReporter {
  let errors = Watched<[FlagError]>([])
  func report(_ error: FlagError) { errors.change { $0.append(error) } }
}

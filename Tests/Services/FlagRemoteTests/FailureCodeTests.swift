import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagServices
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

@Suite("Failures of services, over a network in memory", .timeLimit(.minutes(15)))
struct FailureCodeTests {
  struct Failure: Sendable {
    var status: HTTPStatus?
    var error: TransportError?
    let code: FlagError.Code
  }

  static let failures: [Failure] = [
    Failure(status: .unauthorized, code: .unauthorized), Failure(status: .forbidden, code: .unauthorized),
    Failure(status: .notFound, code: .notFound), Failure(status: HTTPStatus(410), code: .notFound),
    Failure(status: HTTPStatus(504), code: .timeout), Failure(status: .internalServerError, code: .general),
    Failure(error: .timedOut(.seconds(10)), code: .timeout),
    Failure(error: .unanswered("timeout: no response of flags.example"), code: .timeout),
    Failure(error: .notConnected("DNS: no address for flags.example"), code: .unreachable),
    Failure(error: .failed("connection lost"), code: .unreachable),
    Failure(error: .certificate("TLS: the certificate of the host is not trusted"), code: .general),
  ]

  private func transport(_ failure: Failure) -> FakeTransport {
    let transport = FakeTransport { _, _ in failure.status.map { HTTPResponse($0) } }
    if let error = failure.error {
      Task { await transport.fail(0, error) }
    }
    return transport
  }

  @Test("A failure has a code that an app can act on, and names the host", arguments: failures)
  func givesCodes(failure: Failure) async throws {
    let provider = try RemoteProvider(
      ofrep: Addresses.ofrep, environment: ServiceEnvironment(transport(failure), clock: ManualClock()))
    await provider.wait { $0.providerStatus.error != nil }
    let error = provider.providerStatus.error
    #expect(error?.code == failure.code)
    #expect(error?.message.contains("flags.example") == true)
  }

  @Test("A store's failure keeps its code, also through a merged one", arguments: failures)
  func keepsCodes(failure: Failure) async throws {
    let store = try HTTPDefinitionStore(
      Addresses.definitions, environment: ServiceEnvironment(transport(failure), clock: ManualClock()))
    let provider = DefinitionStoreProvider(
      MergedDefinitionStore([store, try InMemoryDefinitionStore(#"{"flags": {}}"#)]))
    await provider.wait { $0.providerStatus.error != nil }
    #expect(provider.providerStatus.error?.code == failure.code)
  }

  @Test("A stream that is never opened says why in the status, is reported once, and its end too", arguments: streams)
  func saysStreamFailures(failure: StreamFailure) async throws {
    let clock = ManualClock()
    let isMended = Locked(false)
    let transport = FakeTransport { _, request in
      guard request.url.path() == "/events" else { return .definitions(1, tag: "\"1\"") }
      return isMended.withLock { $0 } ? nil : failure.response
    }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    let store = try HTTPDefinitionStore(Addresses.definitions, events: Addresses.events, environment: environment)
    let (provider, reporter) = (DefinitionStoreProvider(store), Reporter())
    let flags = try FeatureFlagClient(
      catalogs: [], configuration: .init { $0.reporter = reporter }, providers: { provider })
    if failure.response == nil {
      await transport.state.wait { $0.requests.contains { $0.url.path() == "/events" } }
      let number = try #require(transport.requests.firstIndex { $0.url.path() == "/events" })
      await transport.fail(number)
    }
    await provider.wait { $0.providerStatus.updates?.error != nil }
    let status = provider.providerStatus
    #expect(status.state == .ready && status.error == nil && status.updates?.error?.code == failure.code)
    #expect(status.updates?.error?.message.contains("flags.example") == true)
    #expect(flags.providerStatuses[provider.name]?.updates == status.updates)
    await reporter.errors.wait { $0.count == 1 }
    isMended.withLock { $0 = true }
    // Streams are opened again after a good answer.
    store.becomeActive()
    await transport.state.wait { state in
      state.requests.count { $0.url.path() == "/events" } == 2
    }
    let number = try #require(transport.requests.lastIndex { $0.url.path() == "/events" })
    _ = await transport.openStream(number)
    await provider.wait { $0.providerStatus.updates == .streaming }
    await reporter.errors.wait { $0.count == 2 }
    #expect(reporter.errors.value.map(\.code) == [failure.code, .providerReady])
    #expect(reporter.errors.value.allSatisfy { $0.key == nil && $0.provider == provider.name })
  }

  struct StreamFailure: Sendable {
    var response: HTTPResponse?
    let code: FlagError.Code
  }

  static let streams: [StreamFailure] = [
    StreamFailure(response: HTTPResponse(.notFound), code: .notFound),
    StreamFailure(response: HTTPResponse(.forbidden), code: .unauthorized),
    StreamFailure(
      response: HTTPResponse(.ok, fields: [.contentType: "text/html"], body: Array("<p>".utf8)), code: .general),
    StreamFailure(code: .unreachable),
  ]

  @Test("Without a stream the status says that the service is polled")
  func saysPolling() async throws {
    let transport = FakeTransport { number, _ in .definitions(number) }
    let store = try HTTPDefinitionStore(
      Addresses.definitions, environment: ServiceEnvironment(transport, clock: ManualClock()))
    let provider = DefinitionStoreProvider(store)
    await provider.wait { $0.providerStatus.state == .ready }
    #expect(provider.providerStatus.updates == .polling(nil))
  }

  @Test(
    "The error code of a service that refuses a request is kept, and its text is not",
    arguments: [
      ("INVALID_CONTEXT", "INVALID_CONTEXT"), ("TARGETING_KEY_MISSING", "TARGETING_KEY_MISSING"),
      ("PARSE_ERROR", "PARSE_ERROR"), ("A_CODE_OF_ITS_OWN_7", "A_CODE_OF_ITS_OWN_7"), ("ann@example.com", "GENERAL"),
      ("", "GENERAL"), (String(repeating: "A", count: 65), "GENERAL"),
    ], [400, 422, 500])
  func keepsServiceCodes(code: (given: String, kept: String), status: Int) async throws {
    let body = #"{"errorCode":"\#(code.given)","errorDetails":"no ann@example.com here"}"#
    let status = try #require(HTTPStatus(status))
    let transport = FakeTransport { _, _ in HTTPResponse(status, body: Array(body.utf8)) }
    let provider = try RemoteProvider(
      ofrep: Addresses.ofrep, environment: ServiceEnvironment(transport, clock: ManualClock()))
    await provider.wait { $0.providerStatus.error != nil }
    let error = provider.providerStatus.error
    #expect(error?.code.rawValue == code.kept && error.map { "\($0)".contains("example.com") } == false)
  }

  @Test("A client reports an outage once for its cause while requests fail again and again, and then its end")
  func reportsOnce() async throws {
    let clock = ManualClock()
    let transport = FakeTransport { number, _ in number < 5 ? HTTPResponse(.internalServerError) : .bulk(1) }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    var options = ServiceOptions()
    options.polling = nil
    let provider = try RemoteProvider(ofrep: Addresses.ofrep, options: options, environment: environment)
    let reporter = Reporter()
    let flags = try FeatureFlagClient(
      catalogs: [], configuration: .init { $0.reporter = reporter }, providers: { provider })
    for number in 1...5 {
      await transport.request(number - 1)
      if let key = FlagKey(validating: "size-\(number)") { _ = flags.manager.variation(for: Flag(key, default: 0, "")) }
      let delay = Duration.milliseconds(250 << number)
      await clock.waitForSleeper(for: delay)
      clock.advance(by: delay)
      await transport.request(number)
    }
    await provider.wait { $0.providerStatus.state == .ready }
    await reporter.errors.wait { $0.last?.code == .providerReady }
    let codes = reporter.errors.value.map(\.code)
    #expect(codes.count { $0 == .general } == 1 && codes.count { $0 == .providerReady } == 1, "\(codes)")
    #expect(reporter.errors.value.allSatisfy { $0.key == nil })
  }

  private final class Reporter: FlagErrorReporter {
    let errors = Watched<[FlagError]>([])
    func report(_ error: FlagError) { errors.change { $0.append(error) } }
  }

  @Test("The client's attributes and a visitor's id reach an OFREP service, and the user's instead once there is one")
  func sendsContext() async throws {
    let transport = FakeTransport { number, _ in .bulk(number) }
    var options = ServiceOptions()
    options.privateAttributes = ["email"]
    let provider = try RemoteProvider(
      ofrep: Addresses.ofrep, attributes: ["own": 1], options: options,
      environment: ServiceEnvironment(transport, clock: ManualClock()))
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.attributes = ["version": 7, "email": "a@example.com"]
        $0.anonymousIDs = AnonymousIDs(in: IDStore()) { "visitor" }
      }
    ) { provider }
    func body(with text: String) async throws -> String {
      await transport.state.wait { $0.requests.contains { $0.text.contains(text) } }
      return try #require(transport.requests.first { $0.text.contains(text) }).text
    }
    #expect(
      try await body(with: "visitor")
        == #"{"context":{"own":1,"targetingKey":"visitor","version":7,"visitorID":"visitor"}}"#)
    flags.context.setAttribute(8, for: "version")
    #expect(try await body(with: "8").contains(#""targetingKey":"visitor""#))
    flags.authenticator.setUser(FlagUser(id: "ann"))
    #expect(try await body(with: "ann").contains(#""version":8,"visitorID":"visitor""#))
    #expect(!transport.requests.contains { $0.text.contains("example.com") })
    let other = flags.manager(for: FlagUser(id: "bob")).resolution(of: Flag("size", default: 0, ""))
    #expect(other.value == 0 && other.reason == .error && other.error?.code == .userMismatch)
    #expect(other.error?.message.contains("evaluates definitions") == true)
  }

  private final class IDStore: AnonymousIDStore {
    private let id = Locked<String?>(nil)

    func load() -> String? { id.withLock { $0 } }
    func store(_ id: String?) { self.id.withLock { $0 = id } }
  }

  @Test("Three hundred clients with one date in Retry-After come back over a third of the wait")
  func spreadsClients() async throws {
    let clock = RecordingClock()
    let start = HTTPDate(secondsSince1970: 1_700_000_000)
    let transport = FakeTransport { _, _ in
      HTTPResponse(.serviceUnavailable, fields: [.retryAfter: "\(HTTPDate(secondsSince1970: 1_700_000_060))"])
    }
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.date = { start }
    let stores = try (0..<300).map { _ in try HTTPDefinitionStore(Addresses.definitions, environment: environment) }
    // Requests have timeouts of 10 s.
    await clock.sleeps.wait { $0.count { $0 > .seconds(30) } == 300 }
    let waits = clock.sleeps.value.filter { $0 > .seconds(30) }.sorted()
    #expect(waits[0] >= .seconds(60) && waits[299] <= .seconds(80))
    #expect(waits[299] - waits[0] > .seconds(18))
    #expect((110...190).contains(waits.count { $0 < .seconds(70) }))
    #expect(transport.requests.count == 300)
    withExtendedLifetime(stores) {}
  }
}

/// A clock that stands still, and remembers for how long its sleepers sleep.
private struct RecordingClock: Clock {
  private let clock = ManualClock()
  let sleeps = Watched<[Duration]>([])

  var now: ManualClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    sleeps.change { $0.append(now.duration(to: deadline)) }
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}

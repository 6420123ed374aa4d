import FlagDefinitions
import FlagDomain
import FlagHTTP
import Testing

@testable import FlagServer

@Suite("Serving definitions that may be out of date")
struct FreshnessTests {
  private static func service(
    _ store: any DefinitionStore, of parts: [any DefinitionStore] = [], maximumAge: Duration? = nil, at seconds: Int64
  ) -> FlagService {
    var environment = ServerEnvironment()
    environment.date = { HTTPDate(secondsSince1970: seconds) }
    var options = FlagService.Options()
    options.maximumAge = maximumAge
    return FlagService(store, of: parts, options: options, environment: environment)
  }

  private static func ask(_ service: FlagService, _ method: HTTPMethod, _ target: String) throws -> HTTPResponse {
    let message = HTTPRequest(method, target, body: Array(#"{"context": {"targetingKey": "u"}}"#.utf8))
    guard
      case .handle(let route, let request) = Service(service.routes).plan(message, from: Peer(address: "", port: 0)),
      case .immediate(let handler) = route.handler, case .response(let response) = try handler(request)
    else { throw FlagError(.general, "expected a response") }
    return response
  }

  private static func reasons(_ service: FlagService) throws -> [String] {
    let flag = try ask(service, .post, "/ofrep/v1/evaluate/flags/fixed").text
    let all = try ask(service, .post, "/ofrep/v1/evaluate/flags").text
    return [flag, all].map { text in
      text.firstMatch(of: /"key":"fixed".*?"reason":"(\w+)"/).map { String($0.1) } ?? text
    }
  }

  @Test("While a store fails, answers have the reason STALE, and its return ends that")
  func answersStale() throws {
    let store = try InMemoryDefinitionStore(FlagServiceFixture.document)
    let service = Self.service(store, maximumAge: .seconds(1), at: 1_000)
    #expect(try Self.reasons(service) == ["STATIC", "STATIC"])
    let tag = try Self.ask(service, .post, "/ofrep/v1/evaluate/flags").fields[.eTag]
    store.set("{")
    #expect(try Self.reasons(service) == ["STALE", "STALE"])
    #expect(try Self.ask(service, .post, "/ofrep/v1/evaluate/flags").fields[.eTag] != tag)
    #expect(try Self.ask(service, .get, "/readyz").status == .ok, "it says no time, and so has no age")
    #expect(try Self.ask(service, .get, "/metrics").text.contains(#"flags_store_connected{store="in memory"} 0"#))
    store.set(FlagServiceFixture.document)
    #expect(try Self.reasons(service) == ["STATIC", "STATIC"])
  }

  @Test("A flag that breaks is answered by its last good definition as STALE, until it is good again")
  func keepsLastGood() throws {
    let good = #"{"flags": {"a": {"state": "ENABLED", "variants": {"on": [1], "off": []}, "defaultVariant": "on"}}}"#
    let fixture = try FlagServiceFixture(good)
    fixture.store.set(good.replacing(#""ENABLED""#, with: "true"))
    let stale = #"{"key":"a","value":[1],"variant":"on","reason":"STALE"}"#
    let (status, body) = try fixture.evaluate("a")
    #expect(status == 200 && body == stale)
    #expect(try fixture.ask(.post, "/ofrep/v1/evaluate/flags", [:], #"{"context": {}}"#).text.contains(stale))
    fixture.store.set(good.replacing("[1]", with: "[2]"))
    #expect(try fixture.evaluate("a").body == #"{"key":"a","value":[2],"variant":"on","reason":"STATIC"}"#)
  }

  @Test(
    "Above the maximum age of a confirmation the server is not ready, and answers are stale",
    arguments: [(nil, 900, true), (60, 940, true), (60, 939, false), (60, 2_000, true)] as [(Int64?, Int64, Bool)])
  func expires(maximum: Int64?, confirmed: Int64, isReady: Bool) throws {
    let store = AgedStore(try InMemoryDefinitionStore(FlagServiceFixture.document), confirmed)
    let service = Self.service(store, maximumAge: maximum.map { .seconds($0) }, at: 1_000)
    let ready = try Self.ask(service, .get, "/readyz")
    #expect(ready.status == (isReady ? .ok : .serviceUnavailable))
    #expect(ready.text == (isReady ? "ready\n" : "stale: the definitions were last confirmed 61 s ago\n"))
    #expect(try Self.reasons(service) == (isReady ? ["STATIC", "STATIC"] : ["STALE", "STALE"]))
  }

  @Test("Each store that is merged has its own metrics")
  func measuresStores() throws {
    let parts = [
      AgedStore(try InMemoryDefinitionStore(FlagServiceFixture.document, name: "a"), 990, revision: 7),
      AgedStore(try InMemoryDefinitionStore(#"{"flags": {}}"#, name: "b"), 960, revision: 8, isCached: true),
    ]
    let service = Self.service(MergedDefinitionStore(parts), of: parts, at: 1_000)
    let lines = try Self.ask(service, .get, "/metrics").text.split(separator: "\n").filter {
      $0.hasPrefix("flags_store")
    }
    #expect(
      lines == [
        #"flags_store_connected{store="a"} 1"#, #"flags_store_connected{store="b"} 0"#,
        #"flags_store_contact_timestamp_seconds{store="a"} 991"#,
        #"flags_store_contact_timestamp_seconds{store="b"} 961"#,
        #"flags_store_revision{store="a"} 7"#, #"flags_store_revision{store="b"} 8"#,
        #"flags_store_confirmation_age_seconds{store="a"} 10"#, #"flags_store_confirmation_age_seconds{store="b"} 40"#,
      ])
    #expect(try Self.reasons(service) == ["STALE", "STALE"], "a kept copy is not confirmed yet")
  }
}

/// A store that says when it confirmed its definitions.
private struct AgedStore: DefinitionStore {
  let store: InMemoryDefinitionStore
  let confirmed: Int64
  let revision: Int?
  let isCached: Bool

  init(_ store: InMemoryDefinitionStore, _ confirmed: Int64, revision: Int? = nil, isCached: Bool = false) {
    (self.store, self.confirmed, self.revision, self.isCached) = (store, confirmed, revision, isCached)
  }

  var name: String { store.name }
  var current: StoredDefinitions? { status.definitions }

  var status: DefinitionStatus {
    var status = store.status
    if let revision, let definitions = status.definitions {
      status.definitions = StoredDefinitions(
        definitions, version: isCached ? .cached(revision) : DefinitionVersion(rawValue: "\(revision)"))
    }
    (status.fetchedAt, status.contactedAt, status.isConnected) = (confirmed, confirmed + 1, !isCached)
    if isCached { status.origin = .cached }
    return status
  }

  func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription { store.subscribe(onUpdate) }

  func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions { try await store.replace(with: text, expecting: version) }
}

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

@Suite("Definitions of a service, over a network in memory", .timeLimit(.minutes(15)))
struct InHouseServiceProviderTests {
  private let clock = ManualClock()

  private func provider(
    _ transport: FakeTransport, events: URL? = nil, _ edit: (inout ServiceOptions) -> Void = { _ in }
  ) throws -> DefinitionStoreProvider {
    var options = ServiceOptions()
    edit(&options)
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    environment.date = { HTTPDate(secondsSince1970: 1_700_000_000) }
    return try DefinitionStoreProvider(
      Addresses.definitions, events: events, options: options, environment: environment)
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let transport = FakeTransport { number, _ in .definitions(number + 1) }
    let provider = try provider(transport)
    await provider.wait { $0.providerStatus.state == .ready }
    var contract = ProviderContract(provider, present: ["size": 1], absent: "none")
    contract.change = .init(to: ["size": 2]) { try await provider.refresh() }
    try await contract.check()
  }

  @Test("It asks with the tag, and rests where nothing has changed; what has the same content is no change")
  func polls() async throws {
    let transport = FakeTransport { number, _ in
      switch number {
      case 0: .definitions(1, tag: "\"a\"")
      case 1: .unchanged
      default: .definitions(1, tag: "\"\(number)\"")  // a tag that always changes
      }
    }
    let provider = try provider(transport)
    await provider.wait { $0.providerStatus.state == .ready }
    let changes = Watched<[ChangedKeys]>([])
    let subscription = provider.subscribe { keys in changes.change { $0.append(keys) } }
    for number in 1...3 {
      await clock.waitForSleeper(for: .seconds(30))
      clock.advance(by: .seconds(30))
      await transport.request(number)
    }
    await clock.waitForSleeper(for: .seconds(30))
    #expect(
      transport.requests.map(\.line) == [
        "GET /flags.json", "GET /flags.json if not \"a\"", "GET /flags.json if not \"a\"",
        "GET /flags.json if not \"2\"",
      ])
    #expect(changes.value == [])
    subscription.cancel()
  }

  @Test("Rules about the time change their answer when it comes, without another fetch; so do kept sessions")
  func schedule() async throws {
    let time = ManualWallClock(0)
    let transport = FakeTransport { number, _ in
      let later = #"{"<": [{"var": "$flagd.timestamp"}, \#(100 * (number + 1))]}"#
      let rule = #"{"if": [\#(later), "early", "late"]}"#
      return HTTPResponse(
        .ok,
        body: Array(
          #"""
          {"flags": {"size": {"state": "ENABLED", "variants": {"early": 1, "late": 2}, "targeting": \#(rule)}}}
          """#.utf8))
    }
    var options = ServiceOptions()
    options.updates = .session
    let provider = try DefinitionStoreProvider(
      Addresses.definitions, options: options, environment: ServiceEnvironment(transport, clock: clock),
      time: WallClock(now: time.now, wake: time.wake))
    await provider.wait { $0.read("size") == Reading(1, "TARGETING_MATCH") }
    #expect(time.alarms == [100])
    let changes = Watched<[ChangedKeys]>([])
    let subscription = provider.subscribe { keys in changes.change { $0.append(keys) } }
    time.set(to: 100)
    #expect(changes.value == [.some(["size"])])
    #expect(provider.read("size") == Reading(2, "TARGETING_MATCH"))
    #expect(time.alarms == [])
    // Newer definitions, read at 100, are activated at 250, and see that time.
    try await provider.refresh()
    time.set(to: 250)
    provider.activate()
    #expect(provider.read("size") == Reading(2, "TARGETING_MATCH"))
    #expect(transport.requests.count == 2)
    subscription.cancel()
  }

  @Test("A tag that never changes hides no content that is sent, and a refresh asks without it")
  func takesContentOfSameTag() async throws {
    let transport = FakeTransport { number, request in
      request.fields[.ifNoneMatch] == nil ? .definitions(number, tag: "\"same\"") : .unchanged
    }
    let provider = try provider(transport)
    await provider.wait { $0.read("size") == Reading(0, "STATIC") }
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    await clock.waitForSleeper(for: .seconds(30))
    #expect(provider.read("size") == Reading(0, "STATIC"))
    try await provider.refresh()
    #expect(provider.read("size") == Reading(2, "STATIC"))
  }

  @Test("Streams replace polling; an event that names the version that is here is no reason to ask")
  func streams() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport, events: Addresses.events) { $0.credentials = .bearer("secret") }
    await transport.answer(0, with: .definitions(1, tag: "\"1\""))
    let stream = await transport.openStream(1)
    stream.send(ServerSentEvent(data: "1"))
    await transport.answer(2, with: .unchanged)
    stream.send(ServerSentEvent(data: "2"))
    await clock.waitForSleeper(for: .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    await transport.answer(3, with: .definitions(2, tag: "\"2\""))
    await provider.wait { $0.read("size") == Reading(2, "STATIC") }
    #expect(
      transport.requests.map(\.line) == [
        "GET /flags.json", "GET /events", "GET /flags.json if not \"1\"", "GET /flags.json if not \"1\"",
      ])
    #expect(transport.requests[1].fields[.authorization] == "Bearer secret")
    // Nothing waits but the stream, for its limit of silence.
    await clock.waitForSleeper(for: .milliseconds(119_900))
    clock.advance(by: .milliseconds(119_900))
    let request = await transport.request(4)
    #expect(request.line == "GET /flags.json")
    await transport.waitForCancellation(1)
    withExtendedLifetime(provider) {}
  }

  @Test(
    "An event is a reason to ask, unless it is flagctl's and names the version that is here",
    arguments: [
      ("id: 1\ndata: 7\n\n", true), ("id: 1\ndata: changed\n\n", true),
      ("id: 1\ndata: {\"type\":\"refetchEvaluation\",\"etag\":\"2\"}\n\n", true),
      ("id: 1\ndata: {\"etag\":\"1\"}\n\n", true),
      ("id: 1\ndata: {\"type\":\"refetchEvaluation\",\"etag\":\"1\"}\n\n", false),
      ("id: 1\n\ndata: changed\n\n", true),
      ("id: 1\ndata: {\"type\":\"refetchEvaluation\",\"etag\":\"1\"}\n\ndata: changed\n\n", true),
    ])
  func readsEvents(text: String, isReason: Bool) async throws {
    let transport = FakeTransport()
    let provider = try provider(transport, events: Addresses.events)
    await transport.answer(0, with: .definitions(1, tag: "\"1\""))
    let stream = await transport.openStream(1)
    await transport.answer(2, with: .unchanged)
    await clock.waitForSleeper(for: .seconds(120))
    clock.advance(by: .milliseconds(200))
    stream.deliver(Array(text.utf8))
    if isReason {
      #expect(await transport.request(3).line == "GET /flags.json if not \"1\"")
    } else {
      // The stream is waited for again, once its event was read.
      await clock.waitForSleeper(for: .seconds(120))
      #expect(transport.requests.count == 3)
    }
    withExtendedLifetime(provider) {}
  }

  @Test("Values of a session stay as they are, until the app or the next start says so")
  func keepsSession() async throws {
    let folder = CacheFolder()
    let transport = FakeTransport { number, _ in .definitions(number + 1) }
    func options(_ options: inout ServiceOptions) {
      options.updates = .session
      options.cache = AnswerCache(in: folder.url)
    }
    let first = try provider(transport, options)
    await first.wait { $0.read("size") == Reading(1, "STATIC") }
    try await first.refresh()
    #expect(first.read("size") == Reading(1, "STATIC"))
    await first.waitForWrites()
    let second = try provider(transport, options)
    #expect(second.read("size") == Reading(2, "CACHED"))
    await second.wait { $0.providerStatus.isSettled }
    #expect(second.read("size") == Reading(2, "CACHED"))
    second.activate()
    #expect(second.read("size") == Reading(3, "STATIC"))
    await second.waitForWrites()
  }

  @Test("Network first: the cached or bundled document is served after the network has failed")
  func loadsNetworkFirst() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport) {
      $0.loading = .networkFirst
      $0.bundled = Data(HTTPResponse.document(7).utf8)
    }
    #expect(provider.read("size") == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    await transport.fail(0)
    await provider.wait { $0.read("size") == Reading(7, "STALE") }
    #expect(provider.providerStatus.values == .bundled)
  }

  @Test("A bundled document is served at the very first start; one that cannot be served is an error")
  func servesBundle() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport) { $0.bundled = Data(HTTPResponse.document(7).utf8) }
    #expect(provider.read("size") == Reading(7, "CACHED"))
    #expect(provider.providerStatus == ProviderStatus(.bundled, isSettled: false))
    await transport.answer(0, with: .definitions(1))
    await provider.wait { $0.read("size") == Reading(1, "STATIC") }
    #expect(throws: FlagError.self) { try self.provider(transport) { $0.bundled = Data("[]".utf8) } }
  }

  @Test("A stored entry that is broken is reported, and not used")
  func reportsBrokenCache() async throws {
    let folder = CacheFolder()
    let transport = FakeTransport { _, _ in .definitions(1) }
    let first = try provider(transport) { $0.cache = AnswerCache(in: folder.url) }
    await first.wait { $0.providerStatus.state == .ready }
    try await folder.waitForFiles()
    await first.waitForWrites()
    for file in try folder.files where file.pathExtension == "cache" { try Data("broken".utf8).write(to: file) }
    let second = try provider(FakeTransport()) { $0.cache = AnswerCache(in: folder.url) }
    #expect(second.read("size") == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    #expect(second.snapshot().findings.map(\.code) == [.parseError])
  }

  @Test("Without a cache nothing is written; a cache that cannot be written is reported")
  func reportsUnwritableCache() async throws {
    let folder = CacheFolder()
    try Data().write(to: folder.url)
    let errors = Watched<[FlagError]>([])
    let provider = try provider(FakeTransport { _, _ in .definitions(1) }) {
      $0.cache = AnswerCache(in: folder.url)
      $0.onCacheError = { error in errors.change { $0.append(error) } }
    }
    await errors.wait { !$0.isEmpty }
    await provider.wait { $0.read("size") == Reading(1, "STATIC") }
    #expect(errors.value.map(\.provider) == ["definitions of flags.example"])
  }

  @Test("An answer that could not be written is written at the next answer that confirms it")
  func writesLater() async throws {
    let folder = CacheFolder()
    try Data().write(to: folder.url)
    let errors = Watched<[FlagError.Code]>([])
    let transport = FakeTransport { number, _ in number == 0 ? .definitions(1, tag: "a") : .unchanged }
    let provider = try provider(transport) {
      $0.cache = AnswerCache(in: folder.url)
      $0.onCacheError = { error in errors.change { $0.append(error.code) } }
    }
    await errors.wait { !$0.isEmpty }
    await provider.waitForWrites()
    // A failure that lasts is reported once.
    for _ in 0..<3 {
      await clock.waitForSleeper(for: .seconds(30))
      clock.advance(by: .seconds(30))
      await clock.waitForSleeper(for: .seconds(30))
      await provider.waitForWrites()
    }
    #expect(errors.value == [.general])
    try FileManager.default.removeItem(at: folder.url)
    clock.advance(by: .seconds(30))
    try await folder.waitForFiles()
    await provider.waitForWrites()
    let later = try self.provider(FakeTransport()) { $0.cache = AnswerCache(in: folder.url) }
    #expect(later.read("size") == Reading(1, "CACHED"))
    #expect(errors.value == [.general, .providerReady])
  }

  @Test("While documents are swapped in, no read on any thread finds nothing, or two of them")
  func swapsAtOnce() async throws {
    let transport = FakeTransport { number, _ in .definitions(number) }
    let provider = try provider(transport)
    await provider.wait { $0.providerStatus.state == .ready }
    let isOver = Watched(false)
    let readers = (0..<4).map { _ in
      Task.detached {
        var last = FlagValue.int(0)
        var isFine = true
        while !isOver.value {
          let reading = provider.read("size")
          guard let value = reading.value, case .int(let new) = value, case .int(let old) = last, new >= old else {
            isFine = false
            break
          }
          last = value
          await Task.yield()
        }
        return isFine
      }
    }
    for _ in 0..<100 { try await provider.refresh() }
    isOver.change { $0 = true }
    for reader in readers { #expect(await reader.value) }
  }

  @Test("A provider that is let go of cancels its request, its wait and its stream")
  func letsGo() async throws {
    let transport = FakeTransport()
    do {
      let provider = try provider(transport)
      await transport.request(0)
      withExtendedLifetime(provider) {}
    }
    await transport.waitForCancellation(0)
    do {
      let provider = try provider(transport, events: Addresses.events)
      await transport.answer(1, with: .definitions(1))
      _ = await transport.openStream(2)
      await transport.answer(3, with: .definitions(1))
      await provider.wait { $0.providerStatus.state == .ready }
    }
    await transport.waitForCancellation(2)
  }

  @Test("Changes of the user are no reason to ask, and nothing of a user is sent")
  func evaluatesHere() async throws {
    let document = """
      {"flags": {"size": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "a",
        "targeting": {"if": [{"==": [{"var": "targetingKey"}, "ann"]}, "b"]}}}}
      """
    let transport = FakeTransport { _, _ in HTTPResponse(.ok, body: Array(document.utf8)) }
    let provider = try provider(transport)
    await provider.wait { $0.providerStatus.state == .ready }
    #expect(provider.read("size") == Reading(1, "DEFAULT"))
    #expect(provider.read("size", for: FlagUser(id: "ann")) == Reading(2, "TARGETING_MATCH"))
    #expect(transport.requests.map(\.text) == [""])
  }
}

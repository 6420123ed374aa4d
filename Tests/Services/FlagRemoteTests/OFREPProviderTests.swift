import FlagComposition
import FlagDomain
import FlagHTTP
@testable import FlagServices
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

@Suite("OFREP provider, over a network in memory", .timeLimit(.minutes(15)))
struct OFREPProviderTests {
  private let clock = ManualClock()
  private let ann = FlagUser(id: "ann", countryCode: "es", attributes: ["plan": "free", "email": "ann@example.com"])
  private let bob = FlagUser(id: "bob")

  private func provider(
    _ transport: FakeTransport, _ edit: (inout ServiceOptions) -> Void = { _ in }
  ) throws -> RemoteProvider {
    var options = ServiceOptions()
    edit(&options)
    return try RemoteProvider(ofrep: Addresses.ofrep, options: options, environment: environment(transport))
  }

  private func environment(_ transport: FakeTransport) -> ServiceEnvironment {
    var environment = ServiceEnvironment(transport, clock: clock)
    environment.randomness = { 0.5 }
    environment.date = { HTTPDate(secondsSince1970: 1_700_000_000) }
    return environment
  }

  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let size = Locked(1)
    let transport = FakeTransport { _, request in
      let bulk = HTTPResponse.bulk(size.withLock { $0 })
      let extra = #", {"key": "bad", "errorCode": "PARSE_ERROR"}, {"key": "gone", "errorCode": "FLAG_NOT_FOUND"}]}"#
      return HTTPResponse(.ok, body: Array((String(decoding: bulk.body, as: UTF8.self).dropLast(2) + extra).utf8))
    }
    let provider = try provider(transport)
    provider.setUser(bob)
    await provider.wait { $0.providerStatus.state == .ready }
    var contract = ProviderContract(provider, present: ["size": 1], absent: "gone")
    contract.user = bob
    contract.failing = ("bad", .parseError)
    contract.change = .init(to: ["size": 2]) {
      size.withLock { $0 = 2 }
      try await provider.refresh()
    }
    try await contract.check()
  }

  @Test("It sends what the protocol says: the context without private attributes, the tag, the credentials")
  func sendsContext() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport) {
      $0.credentials = .bearer("secret")
      $0.privateAttributes = ["email", "countryCode"]
    }
    // A request that is called off before it was sent would not be counted.
    await transport.request(0)
    provider.setUser(ann)
    await transport.answer(1, with: .bulk(1, tag: "unquoted"))
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    let request = await transport.request(2)
    #expect(request.line == "POST /api/ofrep/v1/evaluate/flags if not unquoted")
    #expect(request.text == #"{"context":{"plan":"free","segments":[],"targetingKey":"ann"}}"#)
    #expect(request.fields[.authorization] == "Bearer secret")
    #expect(request.fields[.contentType] == "application/json")
    #expect(!"\(provider.providerStatus) \(request)".contains("secret"))
    withExtendedLifetime(provider) {}
  }

  @Test("A user who signs in during a request is asked for at once; the former's request and answer are dropped")
  func changesUser() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport)
    await transport.request(0)
    provider.setUser(ann)
    await transport.waitForCancellation(0)
    await transport.request(1)
    provider.setUser(bob)
    await transport.waitForCancellation(1)
    await transport.answer(0, with: .bulk(0))
    await transport.answer(1, with: .bulk(1))
    await transport.answer(2, with: .bulk(2))
    await provider.wait { $0.read("size", for: bob) == Reading(2, "STATIC") }
    #expect(provider.read("size", for: ann) == Reading(value: nil, why: "USER_MISMATCH"))
    #expect(transport.requests.map(\.text).map { $0.contains("bob") } == [false, false, true])
    #expect(transport.requests.count == 3)
  }

  @Test("A tag is never sent for another user or with another attribute, so that no service can mix them up")
  func dropsTags() async throws {
    // A service whose tag is that of its definitions alone: the same for everyone.
    let transport = FakeTransport { number, request in
      request.fields[.ifNoneMatch] == nil ? .bulk(number, tag: "\"definitions\"") : .unchanged
    }
    let provider = try provider(transport)
    await provider.wait { $0.read("size") == Reading(0, "STATIC") }
    provider.setUser(ann)
    await provider.wait { $0.read("size", for: ann) == Reading(1, "STATIC") }
    provider.updateAttributes(["version": 2], removing: [])
    // The same user's answers stay until there are others.
    #expect(provider.read("size", for: ann).value != nil)
    await provider.wait { $0.read("size", for: ann) == Reading(2, "STATIC") }
    provider.setUser(nil)
    await provider.wait { $0.read("size") == Reading(3, "STATIC") }
    #expect(transport.requests.map { $0.fields[.ifNoneMatch] } == [nil, nil, nil, nil])
  }

  @Test("Credentials from a closure are asked for each request, and again after a 401; values and the cache stay")
  func renewsCredentials() async throws {
    let folder = CacheFolder()
    let tokens = Locked((current: 0, refusals: 0))
    func provider(_ transport: FakeTransport, tenant: String = "") throws -> RemoteProvider {
      try self.provider(transport) {
        $0.isStreaming = false
        $0.cache = AnswerCache(in: folder.url)
        $0.credentials = .renewable(tenant: tenant) { isRefused in
          tokens.withLock { tokens in
            if isRefused { tokens = (tokens.current + 1, tokens.refusals + 1) }
            return ["Authorization": "Bearer \(tokens.current)"]
          }
        }
      }
    }
    let transport = FakeTransport { number, request in
      request.fields[.authorization] == "Bearer 1" ? .bulk(1, tag: "a") : HTTPResponse(.unauthorized)
    }
    do {
      let first = try provider(transport)
      await first.wait { $0.read("size") == Reading(1, "STATIC") }
      try await first.refresh()
      await first.waitForWrites()
      #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer 0", "Bearer 1", "Bearer 1"])
      #expect(!"\(ServiceCredentials.renewable { _ in [:] })".contains("Bearer"))
    }
    tokens.withLock { $0.current = 7 }
    let later = FakeTransport()
    #expect(try provider(later).read("size") == Reading(1, "CACHED"))
    #expect(try provider(later, tenant: "another").read("size").value == nil)
    let refusing = FakeTransport { _, _ in HTTPResponse(.unauthorized) }
    let refused = try provider(refusing, tenant: "refused")
    await refused.wait { $0.providerStatus.error?.message.contains("401") == true }
    #expect(refusing.requests.count == 2)
  }

  @Test("Credentials that cannot be renewed are a failure that says so, and nothing is sent")
  func reportsRenewal() async throws {
    struct Expired: Error {}
    let transport = FakeTransport()
    let provider = try provider(transport) { $0.credentials = .renewable { _ in throw Expired() } }
    await provider.wait { $0.providerStatus.error?.message == "the credentials cannot be renewed: Expired()" }
    #expect(transport.requests.isEmpty)
  }

  @Test("A request ends while attributes change; then one more is sent, for the newest ones")
  func finishesRequests() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport)
    for version in 0..<20 {
      provider.updateAttributes(["version": .int(Int128(version))], removing: [])
      await transport.request(0)
    }
    await transport.answer(0, with: .bulk(0, tag: "\"0\""))
    await provider.wait { $0.read("size") == Reading(0, "STATIC") }
    let request = await transport.request(1)
    #expect(request.text.contains(#""version":19"#) && request.fields[.ifNoneMatch] == nil)
    await transport.answer(1, with: .bulk(1))
    await provider.wait { $0.read("size") == Reading(1, "STATIC") }
    #expect(transport.requests.count == 2)
  }

  @Test("Attributes that change all the time do not fill the cache; the answer for those that stay is cached later")
  func boundsCache() async throws {
    let folder = CacheFolder()
    let transport = FakeTransport { number, _ in .bulk(number, tag: "\"\(number)\"") }
    let provider = try provider(transport) {
      $0.cache = AnswerCache(in: folder.url)
      ($0.polling, $0.isStreaming) = (nil, false)
    }
    func cached() async throws -> Int {
      await provider.waitForWrites()
      return try folder.files.count { $0.pathExtension == "cache" }
    }
    for step in 0..<100 {
      if step > 0 { provider.updateAttributes(["step": .int(Int128(step))], removing: []) }
      await provider.wait { $0.read("size") == Reading(.int(Int128(step)), "STATIC") }
    }
    // A refresh returns when the answer is cached, if it is to be.
    try await provider.refresh()
    #expect(try await cached() == CacheAllowance.limit)
    clock.advance(by: CacheAllowance.interval)
    try await provider.refresh()
    #expect(try await cached() == CacheAllowance.limit + 1)
    try await provider.refresh()
    #expect(try await cached() == CacheAllowance.limit + 1)
  }

  @Test("A stream's word leads to a request with what the word said; its address is nowhere to be seen")
  func followsStream() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport) { $0.credentials = .bearer("secret") }
    let address = "https://events.example/stream?ticket=hidden"
    await transport.answer(0, with: .bulk(1, tag: "a", streams: address))
    let stream = await transport.openStream(1)
    await transport.answer(2, with: .unchanged)
    stream.send(ServerSentEvent(data: "something else"))
    stream.send(ServerSentEvent(data: #"{"type": "futureEvent"}"#))
    stream.send(ServerSentEvent(data: #"{"type": "refetchEvaluation", "etag": "v 2", "lastModified": 1771622898}"#))
    await clock.waitForSleeper(for: .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    await transport.answer(3, with: .bulk(2, tag: "b", streams: address))
    await provider.wait { $0.read("size") == Reading(2, "STATIC") }
    stream.finish()
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    await transport.request(4)
    #expect(
      transport.requests.map(\.line) == [
        "POST /api/ofrep/v1/evaluate/flags", "GET /stream?ticket=hidden", "POST /api/ofrep/v1/evaluate/flags if not a",
        "POST /api/ofrep/v1/evaluate/flags?flagConfigEtag=v%202&flagConfigLastModified=1771622898 if not a",
        "POST /api/ofrep/v1/evaluate/flags",
      ])
    #expect(transport.requests[1].fields[.authorization] == nil)
    #expect(!"\(transport.requests[1]) \(provider.providerStatus)".contains("hidden"))
    withExtendedLifetime(provider) {}
  }

  @Test("What is kept is served at the next start as CACHED, then as the service says; cut off, as STALE")
  func keeps() async throws {
    let folder = CacheFolder()
    let cache = AnswerCache(in: folder.url)
    let first = FakeTransport { _, _ in .bulk(1, tag: "a", streams: "https://events.example/?ticket=hidden") }
    do {
      let provider = try provider(first) {
        $0.cache = cache; $0.isStreaming = false
      }
      provider.setUser(ann)
      await provider.wait { $0.read("size", for: ann) == Reading(1, "STATIC") }
      try await folder.waitForFiles()
      await provider.waitForWrites()
    }
    for file in try folder.files { #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("hidden")) }
    let second = FakeTransport()
    let provider = try provider(second) {
      $0.cache = cache; $0.isStreaming = false
    }
    await second.request(0)
    provider.setUser(ann)
    await provider.wait { $0.read("size", for: ann) == Reading(1, "CACHED") }
    let answer = try provider.snapshot().answer(for: "size", in: EvaluationContext(user: ann))
    #expect(answer?.metadata == ["fetchedAt": 1_700_000_000])
    #expect(provider.providerStatus == ProviderStatus(.cached(fetchedAt: 1_700_000_000), isSettled: false))
    #expect(provider.read("size", for: bob) == Reading(value: nil, why: "USER_MISMATCH"))
    await second.fail(1)
    await provider.wait { $0.read("size", for: ann) == Reading(1, "STALE") }
    #expect(provider.providerStatus.state == .stale)
    await clock.waitForSleeper(for: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    #expect(await second.request(2).fields[.ifNoneMatch] == "a")
    await second.answer(2, with: .unchanged)
    await provider.wait { $0.read("size", for: ann) == Reading(1, "STATIC") }
    provider.setUser(bob)
    #expect(provider.read("size", for: bob) == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    #expect(await second.request(3).fields[.ifNoneMatch] == nil)
    await provider.waitForWrites()
  }

  @Test("After an update of the app a user's last values are CACHED, then STALE; nobody else sees them")
  func keepsAcrossUpdates() async throws {
    let folder = CacheFolder()
    func provider(_ transport: FakeTransport, version: FlagValue, at time: Int64 = 9) throws -> RemoteProvider {
      var options = ServiceOptions()
      options.cache = AnswerCache(in: folder.url)
      options.isStreaming = false
      var environment = environment(transport)
      environment.date = { HTTPDate(secondsSince1970: 1_700_000_000 + time) }
      let provider = try RemoteProvider(ofrep: Addresses.ofrep, options: options, environment: environment)
      provider.updateAttributes(["appVersion": version], removing: [])
      return provider
    }
    for (version, size) in [("1", 1), ("2", 2)] as [(FlagValue, Int)] {
      let service = FakeTransport { _, _ in .bulk(size, tag: "a") }
      let first = try provider(service, version: version, at: Int64(size))
      first.setUser(ann)
      await first.wait { $0.read("size", for: ann) == Reading(.int(Int128(size)), "STATIC") }
      await first.waitForWrites()
    }
    let transport = FakeTransport()
    let later = try provider(transport, version: "3")
    later.setUser(bob)
    await later.waitForWrites()
    #expect(later.read("size", for: bob) == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    later.setUser(ann)
    await later.wait { $0.read("size", for: ann) == Reading(2, "CACHED") }
    #expect(later.read("size", for: bob) == Reading(value: nil, why: "USER_MISMATCH"))
    await transport.state.wait { $0.requests.contains { $0.text.contains(#""ann""#) } }
    let number = try #require(transport.requests.lastIndex { $0.text.contains(#""ann""#) })
    // The tag is that of the answer to another request.
    #expect(transport.requests[number].fields[.ifNoneMatch] == nil)
    await transport.fail(number)
    await later.wait { $0.read("size", for: ann) == Reading(2, "STALE") }
    #expect(try folder.files.map(\.lastPathComponent).allSatisfy { !$0.contains("ann") })
    // An exact answer comes first.
    let exact = try provider(FakeTransport(), version: "1")
    exact.setUser(ann)
    await exact.wait { $0.read("size", for: ann) == Reading(1, "CACHED") }
  }

  @Test("An extension without credentials finds the app's answers by the cache's name, and those of no other user")
  func sharesByName() async throws {
    let folder = CacheFolder()
    func provider(
      _ transport: FakeTransport, named name: String?, credentials: ServiceCredentials? = nil, for user: FlagUser
    ) throws -> RemoteProvider {
      let provider = try self.provider(transport) {
        $0.cache = AnswerCache(in: folder.url, name: name)
        $0.credentials = credentials
        $0.isStreaming = false
        $0.privateAttributes = ["email"]
      }
      provider.setUser(user)
      return provider
    }
    let service = FakeTransport { _, _ in .bulk(7, tag: "a") }
    let app = try provider(service, named: "shared", credentials: .bearer("secret"), for: ann)
    await app.wait { $0.read("size", for: ann) == Reading(7, "STATIC") }
    await app.waitForWrites()

    let refusing = FakeTransport { _, _ in HTTPResponse(.unauthorized) }
    let (sameUser, offline) = (FlagUser(id: "ann"), FakeTransport())
    let cached = try provider(offline, named: "shared", for: sameUser)
    await cached.wait { $0.read("size", for: sameUser) == Reading(7, "CACHED") }
    let stale = try provider(refusing, named: "shared", for: sameUser)
    await stale.wait { $0.read("size", for: sameUser) == Reading(7, "STALE") }
    for (name, user) in [("shared", bob), ("other", ann), (nil, ann)] {
      let other = try provider(offline, named: name, for: user)
      await other.waitForWrites()
      #expect(other.read("size", for: user) == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    }
    for file in try folder.files {
      let content = try "\(file.lastPathComponent)\(String(contentsOf: file, encoding: .utf8))"
      for secret in ["example.com", "secret", "ann"] { #expect(!content.contains(secret)) }
    }
  }

  @Test("A user with a changed attribute keeps the values as STALE until the answer; another id has none")
  func keepsForSameUser() async throws {
    let transport = FakeTransport()
    let provider = try provider(transport) { $0.isStreaming = false }
    await transport.request(0)
    provider.setUser(ann)
    await transport.answer(1, with: .bulk(7))
    await provider.wait { $0.read("size", for: ann) == Reading(7, "STATIC") }
    let pro = FlagUser(id: "ann", countryCode: "es", attributes: ["plan": "pro"])
    // Between the client's change and the provider's, both users are asked for.
    #expect(provider.read("size", for: pro) == Reading(7, "STALE"))
    provider.setUser(pro)
    #expect(provider.read("size", for: pro) == Reading(7, "STALE"))
    await transport.answer(2, with: .bulk(8))
    await provider.wait { $0.read("size", for: pro) == Reading(8, "STATIC") }
    provider.updateAttributes(["appVersion": 2], removing: [])
    #expect(provider.read("size", for: pro) == Reading(8, "STALE"))
    provider.setUser(bob)
    #expect(provider.read("size", for: bob) == Reading(value: nil, why: "PROVIDER_NOT_READY"))
    #expect(provider.read("size", for: pro) == Reading(value: nil, why: "USER_MISMATCH"))
  }

  @Test("A user is set without reading the cache on the calling thread")
  func readsCacheElsewhere() async throws {
    let folder = CacheFolder()
    let threads = Locked<Set<ObjectIdentifier>>([])
    var environment = environment(FakeTransport())
    environment.date = {
      let thread = ObjectIdentifier(Thread.current)
      threads.withLock { _ = $0.insert(thread) }
      return HTTPDate(secondsSince1970: 1_700_000_000)
    }
    var options = ServiceOptions()
    options.cache = AnswerCache(in: folder.url)
    let provider = try RemoteProvider(ofrep: Addresses.ofrep, options: options, environment: environment)
    try await onThread { [ann] in
      provider.setUser(ann)
      #expect(!threads.withLock { $0.contains(ObjectIdentifier(Thread.current)) })
    }
    await provider.waitForWrites()
  }

  @Test("A cache that cannot be read is read again for the next user, and its error is reported once")
  func readsCacheAgain() async throws {
    let folder = CacheFolder()
    func provider(_ transport: FakeTransport) throws -> RemoteProvider {
      try self.provider(transport) {
        $0.cache = AnswerCache(in: folder.url)
        $0.isStreaming = false
      }
    }
    let first = try provider(FakeTransport { _, _ in .bulk(1) })
    for user in [nil, ann] {
      first.setUser(user)
      await first.wait { $0.read("size", for: user) == Reading(1, "STATIC") }
    }
    await first.waitForWrites()
    // As on a device that was not unlocked since it was started: there, and not readable.
    let files = try folder.files.filter { $0.pathExtension == "cache" }
    let hidden = folder.url.appending(path: "hidden")
    try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
    for file in files {
      try FileManager.default.moveItem(at: file, to: hidden.appending(path: file.lastPathComponent))
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    }
    let reporter = CollectingReporter()
    let later = try provider(FakeTransport())
    let flags = try FeatureFlagClient(
      catalogs: [],
      configuration: .init {
        $0.attributes = ["appVersion": "2"]
        $0.reporter = reporter
      }
    ) { later }
    await later.waitForWrites()
    flags.context.updateAttributes(["theme": "dark"], removing: [])
    await later.waitForWrites()
    #expect(reporter.errors.withLock { $0.filter { $0.message.contains("cached") }.count } == 1)
    for file in files {
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: hidden.appending(path: file.lastPathComponent), to: file)
    }
    flags.authenticator.setUser(ann)
    await later.wait { $0.read("size", for: ann) == Reading(1, "CACHED") }
    // The client has it a moment after the provider.
    try await waitUntil { flags.manager.variation(for: Flag("size", default: 0, "")) == 1 }
    #expect(reporter.errors.withLock { $0.filter { $0.message.contains("cached") }.count } == 1)
  }

  @Test("While users and their attributes change, no thread sees another one's values")
  func separatesUsers() async throws {
    let transport = FakeTransport { _, request in
      .bulk((0..<4).first { request.text.contains("\"targetingKey\":\"user-\($0)\"") } ?? -1)
    }
    let folder = CacheFolder()
    let provider = try provider(transport) {
      $0.cache = AnswerCache(in: folder.url)
      $0.isStreaming = false
    }
    let flags = try FeatureFlagClient(catalogs: []) { provider }
    let flag = Flag("size", default: -1, "")
    let isDone = Locked(false)
    try await onThreads(5) { thread in
      guard thread == 0 else {
        while !isDone.withLock({ $0 }) {
          for id in 0..<4 {
            let value = flags.manager(for: FlagUser(id: "user-\(id)")).variation(for: flag)
            #expect(value == -1 || value == id)
          }
        }
        return
      }
      for step in 0..<1000 {
        let id = step / 3 % 4
        flags.authenticator.setUser(FlagUser(id: "user-\(id)", attributes: ["step": .int(Int128(step))]))
        let value = flags.manager.variation(for: flag)
        #expect(value == -1 || value == id)
      }
      isDone.withLock { $0 = true }
    }
    await provider.waitForWrites()
  }

  @Test("A context that differs in a private attribute alone is the same to the service")
  func hidesPrivateAttributes() async throws {
    let folder = CacheFolder()
    let transport = FakeTransport { number, _ in .bulk(number) }
    let provider = try provider(transport) {
      $0.cache = AnswerCache(in: folder.url)
      $0.privateAttributes = ["email"]
    }
    await provider.wait { $0.read("size") == Reading(0, "STATIC") }
    provider.updateAttributes(["email": "a@example.com"], removing: [])
    provider.setUser(ann)
    await provider.wait { $0.read("size", for: ann) == Reading(1, "STATIC") }
    let other = FlagUser(id: "ann", countryCode: "es", attributes: ["plan": "free", "email": "new@example.com"])
    provider.setUser(other)
    #expect(provider.read("size", for: other) == Reading(1, "STATIC"))
    // The same user, but not as the service knows her.
    #expect(provider.read("size", for: ann) == Reading(1, "STALE"))
    try await folder.waitForFiles()
    await provider.waitForWrites()
    #expect(transport.requests.count == 2)
    #expect(!transport.requests.map(\.text).joined().contains("example.com"))
    for file in try folder.files { #expect(!(try String(contentsOf: file, encoding: .utf8)).contains("example.com")) }
  }

  @Test(
    "An answer of the wrong shape is a failure, and the last good one stays",
    arguments: ["", "{", "[]", "{}", #"{"flags": {}}"#, #"{"flags": [1], "flags": 2}"#, "null"])
  func refusesShape(body: String) async throws {
    let transport = FakeTransport { number, _ in number == 0 ? .bulk(1) : HTTPResponse(.ok, body: Array(body.utf8)) }
    let provider = try provider(transport)
    await provider.wait { $0.read("size") == Reading(1, "STATIC") }
    await #expect(throws: FlagError.self) { try await provider.refresh() }
    #expect(provider.read("size") == Reading(1, "STALE"))
  }

  @Test("Single answers of the wrong shape are reported, and the others served; one without a value is the default")
  func servesRest() async throws {
    let body = """
      {"flags": [1, {"value": 1}, {"key": "size", "value": 10.0, "reason": "SPLIT", "variant": "v",
        "metadata": {"owner": "us", "deep": {}}}, {"key": "default", "reason": "DISABLED"}, {"key": "bare", "value": []}],
        "metadata": {"version": "v1", "owner": "all"}}
      """
    let transport = FakeTransport { _, _ in HTTPResponse(.ok, body: Array(body.utf8)) }
    let provider = try provider(transport)
    await provider.wait { $0.providerStatus.state == .ready }
    let snapshot = provider.snapshot()
    let context = EvaluationContext()
    #expect(
      try snapshot.answer(for: "size", in: context)
        == FlagAnswer(10.0, variant: "v", reason: .split, metadata: ["owner": "us", "version": "v1"]))
    let shared: [String: FlagValue] = ["owner": "all", "version": "v1"]
    #expect(
      try snapshot.answer(for: "default", in: context) == FlagAnswer(nil, reason: .disabled, metadata: shared))
    #expect(try snapshot.answer(for: "bare", in: context) == FlagAnswer([], reason: .unknown, metadata: shared))
    #expect(snapshot.findings.map(\.message).map { $0.prefix(8) } == ["flags[0]", "flags[1]"])
  }

  @Test("The variables of the environment say where, who and how long")
  func readsEnvironment() throws {
    let settings = try OFREPSettings(environment: [
      "OFREP_ENDPOINT": "https://flags.example/x", "OFREP_HEADERS": "Authorization=Bearer%20a=b, X-Team = one",
      "OFREP_TIMEOUT_MS": "1500",
    ])
    #expect(settings.endpoint.absoluteString == "https://flags.example/x")
    #expect(settings.options.timeout == .milliseconds(1500))
    #expect(
      settings.options.credentials?.fields.map { "\($0.name): \($0.value)" } == [
        "Authorization: Bearer a=b", "X-Team: one",
      ])
    #expect("\(settings.options)".contains("Bearer") == false)
  }

  @Test(
    "A variable that is missing or none of its kind is an error that names it, and not its value",
    arguments: [
      ([:], "OFREP_ENDPOINT"), (["OFREP_ENDPOINT": "nowhere"], "OFREP_ENDPOINT"),
      (["OFREP_ENDPOINT": "https://a.b", "OFREP_HEADERS": "A=1,secret"], "OFREP_HEADERS"),
      (["OFREP_ENDPOINT": "https://a.b", "OFREP_TIMEOUT_MS": "soon"], "OFREP_TIMEOUT_MS"),
    ] as [([String: String], String)])
  func refusesEnvironment(environment: [String: String], name: String) throws {
    let error = #expect(throws: FlagError.self) { try OFREPSettings(environment: environment) }
    #expect(error?.message.hasPrefix("\(name): ") == true && error?.message.contains("secret") == false)
  }

  @Test(
    "An address without encryption is refused, unless it is the machine itself or was named",
    arguments: [
      ("http://flags.example", false), ("http://other.example:8080/x", true), ("http://localhost:1", true),
      ("http://127.0.0.1:1", true), ("http://[::1]:1", true), ("ftp://flags.example", false), ("file:///tmp", false),
      ("https://user:secret@flags.example", false), ("http://127.0.0.1.example", false),
      ("http://localhost.example", false),
    ])
  func refusesPlaintext(address: String, isAllowed: Bool) throws {
    var options = ServiceOptions()
    options.plaintextHosts = ["Other.example"]
    let url = Addresses.address(address)
    let transport = FakeTransport()
    if isAllowed {
      _ = try RemoteProvider(ofrep: url, options: options, environment: environment(transport))
    } else {
      let error = #expect(throws: FlagError.self) {
        try RemoteProvider(ofrep: url, options: options, environment: environment(transport))
      }
      #expect(error?.message.contains("secret") == false && transport.requests.isEmpty)
    }
  }
}

private final class CollectingReporter: FlagErrorReporter {
  let errors = Locked<[FlagError]>([])
  func report(_ error: FlagError) { errors.withLock { $0.append(error) } }
}

import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagPublishing
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("Writing to etcd that fails, in memory", .timeLimit(.minutes(15)))
struct EtcdWritingTests {
  private static let note = PublicationNote(author: "ann")

  private static func text(_ size: Int) -> [UInt8] { Array(HTTPResponse.document(size).utf8) }

  private static func store(
    _ etcd: FakeEtcd, server: String? = nil, user: String? = nil, clock: ManualClock? = nil,
    format: any DefinitionFormat = .inHouse, _ edit: (inout EtcdSettings) -> Void = { _ in }
  ) throws -> EtcdDefinitionStore {
    var settings = try EtcdSettings(
      endpoints: ["https://a", "https://b"], user: user, password: user.map { _ in "word" })
    settings.attemptTimeout = .milliseconds(20)
    settings.timeout = .seconds(60)
    edit(&settings)
    var environment = clock.map { ServiceEnvironment(etcd, clock: $0) } ?? ServiceEnvironment(etcd)
    environment.randomness = { 0 }
    return EtcdDefinitionStore(
      set: "app", server: server, settings: settings, format: format, environment: environment)
  }

  /// Whether a request writes a head.
  private static func writesHead(_ request: FakeEtcd.Request) -> Bool {
    request.path == "kv/txn"
      && (request.body[etcd: "success"]?.elements ?? []).contains {
        FakeEtcd.text($0[etcd: "request_put"]?[etcd: "key"]) == "/flags/app/head"
      }
  }

  /// Lets time pass as fast as it may, once something has happened, and until the task is cancelled.
  private static func passTime(on clock: ManualClock, once hasBegun: Watched<Bool>) -> Task<Void, Never> {
    Task {
      await hasBegun.wait { $0 }
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
  }

  @Test(
    "A write that was lost is written again; one whose answer was lost is found, and not written twice",
    arguments: [false, true])
  func findsOwnWrite(isDone: Bool) async throws {
    let faults = Watched(1)
    let etcd = FakeEtcd { _, request in
      guard Self.writesHead(request), faults.value > 0 else { return nil }
      faults.change { $0 -= 1 }
      return isDone ? .lostAnswer : .silence
    }
    let store = try Self.store(etcd)
    let first = try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    #expect(try await store.head() == first)
    #expect(try await store.history(limit: 9) == [first.revision])
    faults.change { $0 = 1 }
    let second = try await store.publish(Self.text(2), expecting: first, percent: 5, note: Self.note)
    #expect(second.candidate?.revision.number == 2)
    faults.change { $0 = 1 }
    let third = try await store.stage(percent: 50, expecting: second)
    #expect(third.candidate?.percent == 50)
    #expect(try await store.head() == third)
    #expect(try await store.history(limit: 9).map(\.number) == [2, 1])
  }

  @Test("What is published is of the store's format: another one's definitions are read again, or refused")
  func publishesItsFormat() async throws {
    let store = try Self.store(FakeEtcd(), format: LineFormat())
    let first = try await store.publish(Array("a = on".utf8), expecting: nil, percent: nil, note: Self.note)
    #expect(store.current?.document.keys == ["a"])
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await store.publish(
        StoredDefinitions(parsing: Self.text(1)), expecting: first, percent: nil, note: Self.note)
    }
    #expect(error?.code == .invalid)
    #expect(try await store.head() == first)
  }

  @Test("Where someone publishes after a write whose answer was lost, that write counts still, and is in the history")
  func findsOwnWriteInHistory() async throws {
    let faults = Watched(1)
    let etcd = FakeEtcd { _, request in
      guard Self.writesHead(request), faults.value > 0 else { return nil }
      faults.change { $0 -= 1 }
      return .lostAnswer
    }
    let store = try Self.store(etcd)
    let stranger = try Self.store(etcd)
    async let first = store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    await faults.wait { $0 == 0 }
    while true {
      let head = try await stranger.head()
      do throws(DefinitionStoreError) {
        guard head != nil else { continue }
        try await stranger.publish(Self.text(2), expecting: head, percent: nil, note: Self.note)
        break
      } catch {
        #expect(error.code == .conflict)
      }
    }
    _ = try await first
    #expect(try await store.history(limit: 9).map(\.number) == [2, 1])
  }

  @Test("Where etcd never says whether it wrote, neither does the store")
  func admitsIgnorance() async throws {
    let isSilent = Watched(false)
    let etcd = FakeEtcd { _, request in
      if Self.writesHead(request) { isSilent.change { $0 = true } }
      return isSilent.value ? .lostAnswer : nil
    }
    let clock = ManualClock()
    let store = try Self.store(etcd, clock: clock)
    let ticking = Self.passTime(on: clock, once: isSilent)
    await #expect {
      try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    } throws: {
      let error = $0 as? DefinitionStoreError
      return error?.code == .notWritten && error?.message.contains("did not confirm the write") == true
    }
    ticking.cancel()
  }

  @Test(
    "What is certainly not written is said to be so",
    arguments: [
      FakeEtcd.Fault.failure(.notConnected("connection refused")),
      .failure(.certificate("TLS: the host's certificate is not trusted")),
      .answer(HTTPResponse(.badRequest, body: Array(#"{"message":"etcdserver: request is too large","code":3}"#.utf8))),
      .answer(HTTPResponse(.forbidden, body: Array(#"{"message":"etcdserver: permission denied","code":7}"#.utf8))),
      .answer(HTTPResponse(.serviceUnavailable, body: Array(#"{"message":"etcdserver: no leader","code":14}"#.utf8))),
    ])
  func knowsFailure(fault: FakeEtcd.Fault) async throws {
    let isFailing = Watched(false)
    let etcd = FakeEtcd { _, request in
      guard Self.writesHead(request) else { return nil }
      isFailing.change { $0 = true }
      return fault
    }
    let clock = ManualClock()
    // However fast time passes, the answer comes first.
    let store = try Self.store(etcd, clock: clock) { $0.attemptTimeout = .seconds(50) }
    let ticking = Self.passTime(on: clock, once: isFailing)
    await #expect {
      try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    } throws: {
      let error = $0 as? DefinitionStoreError
      return error?.code == .notWritten && error?.message.contains("did not say") == false
    }
    ticking.cancel()
    await ticking.value
    #expect(try await store.head() == nil)
  }

  @Test(
    "The write that uses the quota up counts where etcd has done it, though the answer is that there is no space",
    arguments: [true, false])
  func findsWriteWithoutSpace(isDone: Bool) async throws {
    let etcd = FakeEtcd { _, request in
      guard Self.writesHead(request) else { return nil }
      let body = #"{"message":"etcdserver: mvcc: database space exceeded","code":8}"#
      let response = HTTPResponse(.tooManyRequests, body: Array(body.utf8))
      return isDone ? .answerWhenDone(response) : .answer(response)
    }
    let store = try Self.store(etcd)
    if isDone {
      let head = try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
      #expect(try await store.head() == head)
      return
    }
    await #expect {
      try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    } throws: {
      let error = $0 as? DefinitionStoreError
      return error?.code == .notWritten && error?.message.contains("space exceeded") == true
    }
    #expect(try await store.head() == nil)
  }

  @Test("Pieces that are removed while they are published are written again, and only while the head is what it was")
  func writesPiecesAgain() async throws {
    let prunes = Watched(2)
    let etcd = Locked<FakeEtcd?>(nil)
    let fake = FakeEtcd { _, request in
      guard Self.writesHead(request), prunes.value > 0 else { return nil }
      prunes.change { $0 -= 1 }
      etcd.withLock { $0 }?.state.change { state in
        for key in state.entries.keys where key.contains("/documents/") { state.remove(key) }
      }
      return nil
    }
    etcd.withLock { $0 = fake }
    let store = try Self.store(fake)
    let text = Self.text(1) + [UInt8](repeating: 0x20, count: EtcdSet.smallSize)
    try await store.publish(text, expecting: nil, percent: nil, note: Self.note)
    #expect(prunes.value == 0)
    #expect(try await store.text(of: 1) == text)
    etcd.withLock { $0 = nil }
  }

  @Test("Pruning removes what no kept revision names, and nothing that is published meanwhile")
  func prunes() async throws {
    let publishes = Watched(0)
    let publisher = Locked<EtcdDefinitionStore?>(nil)
    let etcd = FakeEtcd { _, request in
      guard request.path == "kv/txn", publishes.value == 1,
        (request.body[etcd: "success"]?.elements ?? []).contains(where: { $0[etcd: "request_delete_range"] != nil })
      else { return nil }
      publishes.change { $0 = 2 }
      return .failure(.failed("connection lost"))
    }
    let store = try Self.store(etcd)
    for size in 1...5 {
      try await store.publish(
        Self.text(size == 4 ? 1 : size), expecting: try await store.head(), percent: nil, note: Self.note)
    }
    publishes.change { $0 = 1 }
    #expect(try await store.prune(keeping: 2) == [1, 2, 3])
    #expect(try await store.text(of: 4) == Self.text(1), "revision 1 had the same document")
    #expect(try await store.text(of: 5) == Self.text(5))
    #expect(etcd.state.value.entries.keys.count { $0.contains("/documents/") } == 2)
    publisher.withLock { $0 = nil }
  }

  // MARK: Who asks

  @Test("The token is sent as it is, and a new one is asked for where etcd does not like it")
  func renewsToken() async throws {
    let refusals = [
      (HTTPStatus.unauthorized, #"{"error":"etcdserver: invalid auth token","code":16}"#),
      (.badRequest, #"{"error":"auth: revision of auth store is old","code":3}"#),
      (.unauthorized, #"{"message":"etcdserver: invalid auth token","code":16,"details":[]}"#),
    ]
    let good = Watched("token-1")
    let refusal = Watched(0)
    let etcd = FakeEtcd { number, request in
      guard request.path != "auth/authenticate", let token = request.fields[.authorization] else { return nil }
      guard token == good.value || good.value.isEmpty else {
        let (status, body) = refusals[refusal.value]
        good.change { $0 = "" }
        return .answer(HTTPResponse(status, body: Array(body.utf8)))
      }
      good.change { $0 = token }
      return nil
    }
    let store = try Self.store(etcd, user: "ann")
    _ = await etcd.watch(0)
    for round in refusals.indices {
      refusal.change { $0 = round }
      good.change { $0 = "expired" }
      #expect(try await store.head() == nil)
    }
    let tokens = etcd.requests.filter { $0.path != "auth/authenticate" }.map { $0.fields[.authorization] }
    #expect(tokens.allSatisfy { $0?.wholeMatch(of: /token-\d+/) != nil }, "raw, without a scheme")
    #expect(etcd.requests.count { $0.path == "auth/authenticate" } == 4)
    #expect(etcd.requests.first?.body == .object(["name": .string("ann"), "password": .string("word")]))
  }

  @Test("A wrong password is an error without endless retries; without authentication it is ignored")
  func refusesPassword() async throws {
    let answer = Watched(#"{"error":"etcdserver: authentication failed, invalid user ID or password","code":3}"#)
    let etcd = FakeEtcd { _, request in
      request.path == "auth/authenticate"
        ? .answer(HTTPResponse(.badRequest, body: Array(answer.value.utf8))) : nil
    }
    let store = try Self.store(etcd, user: "ann")
    await #expect {
      try await store.head()
    } throws: {
      let error = $0 as? DefinitionStoreError
      return error?.code == .unreadable && error?.message.contains("authentication failed") == true
        && error?.message.contains("word\"") == false
    }
    answer.change { $0 = #"{"error":"etcdserver: authentication is not enabled","code":9}"# }
    #expect(try await store.head() == nil)
  }

  // MARK: Reports

  @Test("A report is under a lease, which is renewed, made anew where it is over, and ended by closing")
  func reports() async throws {
    let etcd = FakeEtcd()
    let store = try Self.store(etcd, server: "web/1") { $0.reportLifetime = .milliseconds(300) }
    try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    await etcd.waitForRequests(2) { $0.path == "lease/keepalive" }
    #expect(try await store.servers().map(\.name) == ["web/1"])
    #expect(try await store.servers().first?.revision == 1)
    #expect(etcd.requests.count { $0.path == "lease/grant" } == 1)
    etcd.state.change { $0.leases = [] }
    await etcd.waitForRequests(2) { $0.path == "lease/grant" }
    await etcd.state.wait { !$0.leases.isEmpty }
    await etcd.state.wait { state in
      state.entries["/flags/app/servers/web%2F1/live"]?.lease.map { state.leases.contains($0) } == true
    }
    // What it renews is what it knows of.
    let lease = try #require(etcd.state.value.leases.first)
    await etcd.waitForRequests(1) { $0.path == "lease/keepalive" && "\($0.body)".contains("\(lease)") }
    await store.close()
    #expect(etcd.state.value.leases.isEmpty)
    #expect(!etcd.state.value.entries.keys.contains { $0.contains("/servers/") }, "it has signed off")
    #expect(etcd.requests.last?.path == "lease/revoke")
  }

  @Test("A server with an invalid document reports it, with the revision that it runs")
  func reportsFailure() async throws {
    let etcd = FakeEtcd()
    let store = try Self.store(etcd, server: "web")
    _ = await etcd.watch(0)
    try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    etcd.put("/flags/app/head", "{")
    var report: ServerReport?
    while report?.failure?.contains("line 1, column 2: ") != true {
      await Task.yield()
      report = try await store.servers().first
    }
    #expect(report?.revision == 1)
  }

  @Test("A store that is let go of ends its watch and its requests")
  func letsGo() async throws {
    let etcd = FakeEtcd()
    do {
      let store = try Self.store(etcd, server: "web")
      _ = await etcd.watch(0)
      withExtendedLifetime(store) {}
    }
    while etcd.state.value.watches[0].exchange.exchange != nil { await Task.yield() }
  }
}

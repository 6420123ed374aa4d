import FlagDefinitions
import FlagDefinitionsTesting
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

@Suite("A store over etcd, in memory", .timeLimit(.minutes(15)))
struct EtcdStoreTests {
  private static let head = "/flags/app/head"
  private static let note = PublicationNote(author: "ann")

  private func store(
    _ etcd: FakeEtcd, server: String? = nil, members: Int = 1, clock: ManualClock? = nil, user: String? = nil,
    _ edit: (inout EtcdSettings) -> Void = { _ in }
  ) throws -> EtcdDefinitionStore {
    var settings = try EtcdSettings(
      endpoints: (0..<members).map { "https://etcd-\($0)" }, user: user, password: user.map { _ in "word" })
    edit(&settings)
    var environment = clock.map { ServiceEnvironment(etcd, clock: $0) } ?? ServiceEnvironment(etcd)
    environment.randomness = { 0 }
    environment.date = { HTTPDate(secondsSince1970: 1_700_000_000) }
    return EtcdDefinitionStore(set: "app", server: server, settings: settings, environment: environment)
  }

  private func publish(_ size: Int, to store: EtcdDefinitionStore) async throws {
    try await store.publish(
      Array(HTTPResponse.document(size).utf8), expecting: try await store.head(), percent: nil, note: Self.note)
  }

  /// A store that watches, and has the first revision.
  private func following(
    _ etcd: FakeEtcd, members: Int = 1, _ clock: ManualClock
  ) async throws -> EtcdDefinitionStore {
    let store = try store(etcd, members: members, clock: clock)
    _ = await etcd.watch(0)
    try await publish(1, to: store)
    return store
  }

  /// The notifications of a store.
  private func log(_ store: EtcdDefinitionStore) -> (Watched<[String]>, FlagSubscription) {
    let received = Watched<[String]>([])
    let subscription = store.subscribe { update in
      switch update {
      case .success(let definitions): received.change { $0.append(definitions.version.rawValue) }
      case .failure(let error): received.change { $0.append("\(error.code): \(error.message)") }
      }
    }
    return (received, subscription)
  }

  @Test("Meets the contract of every store of published definitions")
  func meetsContract() async throws {
    let etcd = FakeEtcd()
    let contract = PublishedDefinitionStoreContract(try store(etcd)) { try store(etcd, server: $0) }
    try await contract.check()
  }

  @Test("Meets the contract of every store, and says what is wrong with a head that it cannot read")
  func meetsStoreContract() async throws {
    let etcd = FakeEtcd()
    let store = try store(etcd)
    try await store.publish(
      Array(DefinitionStoreContract.document.utf8), expecting: nil, percent: nil, note: Self.note)
    var contract = DefinitionStoreContract(store)
    let good = Watched("")
    contract.breakStore = {
      let head = etcd.state.value.entries[Self.head]?.value ?? []
      good.change { $0 = String(decoding: head, as: UTF8.self) }
      etcd.put(Self.head, "{")
    }
    contract.mendStore = { text in
      etcd.put(Self.head, good.value)
      try await store.publish(Array(text.utf8), expecting: try await store.head(), percent: nil, note: Self.note)
    }
    try await contract.check()
  }

  // MARK: Following

  @Test("It asks one member for what it has, and watches from there, with a leader")
  func follows() async throws {
    let etcd = FakeEtcd()
    etcd.put("other", "x")
    let store = try store(etcd)
    let watch = await etcd.watch(0)
    #expect(watch.start == 3)
    let requests = etcd.requests
    #expect(requests.map(\.path) == ["kv/range", "watch"])
    #expect(requests[0].body[etcd: "serializable"] == .bool(true), "it works without a quorum")
    #expect(requests.map { $0.fields.all.contains { $0.name.text == "Grpc-Metadata-hasleader" } } == [false, true])
    try await publish(1, to: store)
    #expect(store.current?.version == DefinitionVersion(rawValue: "1"))
  }

  @Test("What is said of several changes at once, or while a document comes, is one change")
  func mergesChanges() async throws {
    let etcd = FakeEtcd()
    let publisher = try store(etcd)
    _ = await etcd.watch(0)
    let follower = try store(etcd)
    _ = await etcd.watch(1)
    try await publish(1, to: publisher)
    let (received, subscription) = log(follower)
    await received.wait { $0.last == "1" }
    for size in 2...10 { try await publish(size, to: publisher) }
    await received.wait { $0.last == "10" }
    let numbers = received.value.compactMap { Int($0) }
    #expect(numbers == Set(numbers).sorted(), "each at most once, in order")
    subscription.cancel()
  }

  @Test(
    "A watch that is over is made again, from what there is then",
    arguments: [
      #"{"result":{"header":{"revision":"9"},"canceled":true,"compact_revision":"7"}}"#,
      #"{"result":{"header":{},"canceled":true,"cancel_reason":"etcdserver: no leader"}}"#,
      #"{"error":{"code":14,"message":"etcdserver: no leader"}}"#, "garbage",
    ])
  func watchesAgain(end: String) async throws {
    let etcd = FakeEtcd()
    let clock = ManualClock()
    let store = try await following(etcd, members: 3, clock)
    await clock.passPause()
    let (received, subscription) = log(store)
    // Written while nobody watches: then the beginning of a watch may have been compacted.
    etcd.put(Self.head, etcd.head(numbered: 9), notifies: false)
    etcd.say(end + "\n")
    await clock.waitForSleeper(for: .milliseconds(20))
    clock.advance(by: .milliseconds(20))
    let watch = await etcd.watch(1)
    await received.wait { $0.last == "9" }
    #expect(received.value == ["1", "9"], "one change, and nothing of a member that is away")
    #expect(watch.host == (end.contains("compact") ? "etcd-0" : "etcd-1"))
    subscription.cancel()
  }

  @Test("Of a burst of changes a server takes over the first one, and a tenth of a second later the last one")
  func restsInBursts() async throws {
    let etcd = FakeEtcd()
    let clock = ManualClock()
    let store = try await following(etcd, clock)
    await clock.passPause()
    let (received, subscription) = log(store)
    etcd.put(Self.head, etcd.head(numbered: 2))
    await received.wait { $0.last == "2" }
    for number in 3...9 { etcd.put(Self.head, etcd.head(numbered: number)) }
    await clock.passPause()
    await received.wait { $0.last == "9" }
    #expect(received.value == ["1", "2", "9"])
    subscription.cancel()
  }

  @Test("A member that says nothing is asked after 30 s, and left where it does not answer")
  func leavesSilentMember() async throws {
    let isStopped = Watched(false)
    let etcd = FakeEtcd { _, request in isStopped.value && request.host == "etcd-0" ? .silence : nil }
    let clock = ManualClock()
    let store = try await following(etcd, members: 2, clock)
    // It is there, so it is asked every 30 s, and watched on.
    for round in 1...2 {
      await clock.waitForSleeper(for: .seconds(30))
      clock.advance(by: .seconds(30))
      await etcd.waitForRequests(round) { request in
        request.path == "kv/range" && request.key == Self.head
          && request.fields.all.contains { $0.name.text == "Grpc-Metadata-hasleader" }
      }
    }
    #expect(etcd.state.value.watches.count == 1)
    isStopped.change { $0 = true }
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    await clock.waitForSleeper(for: .seconds(3))
    clock.advance(by: .seconds(3))
    await clock.waitForSleeper(for: .milliseconds(20))
    clock.advance(by: .milliseconds(20))
    #expect(await etcd.watch(1).host == "etcd-1")
    withExtendedLifetime(store) {}
  }

  @Test("A change that a watch says nothing of, as from a revision to come, is found by asking")
  func findsUntoldChange() async throws {
    let etcd = FakeEtcd()
    let clock = ManualClock()
    let store = try await following(etcd, clock)
    etcd.put(Self.head, etcd.head(numbered: 2), notifies: false)
    let (received, subscription) = log(store)
    await clock.waitForSleeper(for: .seconds(30))
    clock.advance(by: .seconds(30))
    await clock.waitForSleeper(for: .milliseconds(20))
    clock.advance(by: .milliseconds(20))
    await received.wait { $0.last == "2" }
    subscription.cancel()
  }

  @Test("A member that lags takes nothing back; a quorum that has less is the truth, as after a restored backup")
  func knowsTruth() async throws {
    let etcd = FakeEtcd()
    let clock = ManualClock()
    let store = try await following(etcd, members: 2, clock)
    await clock.passPause()
    let old = etcd.state.value.entries
    try await publish(2, to: store)
    await clock.passPause()
    let (received, subscription) = log(store)
    etcd.state.change { $0.lag["etcd-1"] = old }
    etcd.say("end\n", to: "etcd-0")
    await clock.waitForSleeper(for: .milliseconds(20))
    clock.advance(by: .milliseconds(20))
    _ = await etcd.watch(1)
    #expect(received.value == ["2"])
    etcd.state.change { $0.entries = old }
    etcd.say("end\n", to: "etcd-1")
    await clock.waitForSleeper(for: .milliseconds(20))
    clock.advance(by: .milliseconds(40))
    await received.wait { $0.last == "1" }
    subscription.cancel()
  }

  @Test("An outage of all members is reported once, and its end, too")
  func tellsOutage() async throws {
    let isDown = Watched(false)
    let etcd = FakeEtcd { _, _ in isDown.value ? .failure(.notConnected("connection refused")) : nil }
    let store = try store(etcd, members: 2)
    _ = await etcd.watch(0)
    try await publish(1, to: store)
    let (received, subscription) = log(store)
    isDown.change { $0 = true }
    etcd.say("end\n")
    await received.wait { $0.last == "UNREADABLE: connection refused" }
    isDown.change { $0 = false }
    await received.wait { $0.last == "1" }
    #expect(received.value == ["1", "UNREADABLE: connection refused", "1"])
    subscription.cancel()
  }

  @Test(
    "A set that cannot be served leaves the last good definitions, and says why",
    arguments: [
      ("{", "INVALID"), (#"{"format": 2}"#, "INVALID"), ("", "INVALID"), (nil, "UNREADABLE"),
      (#"{"format": 1, "revision": {"number": 3}}"#, "INVALID"),
      (
        """
        {"format": 1, "revision": {"number": 3, "timestamp": 1, "chunks": 1, "size": 3,
          "fingerprint": "\(String(repeating: "0", count: 64))"}}
        """, "UNREADABLE"
      ),
    ] as [(String?, String)])
  func keepsLastGood(head: String?, code: String) async throws {
    let etcd = FakeEtcd()
    let clock = ManualClock()
    let store = try await following(etcd, clock)
    await clock.passPause()
    let (received, subscription) = log(store)
    if let head {
      etcd.put(Self.head, head)
    } else {
      etcd.remove(Self.head)
      let line =
        #"{"result":{"header":{"revision":"99"},"events":[{"type":"DELETE","kv":{"key":"L2ZsYWdzL2FwcC9oZWFk","mod_revision":"99"}}]}}"#
      etcd.say(line + "\n")
    }
    await received.wait { $0.last?.hasPrefix(code) == true }
    #expect(store.current?.version == DefinitionVersion(rawValue: "1"))
    subscription.cancel()
  }

  @Test("What is too large is refused, at both ends")
  func limitsSizes() async throws {
    let etcd = FakeEtcd()
    let store = try store(etcd) { $0.sizeLimit = 1 << 10 }
    let large = Array((HTTPResponse.document(1) + String(repeating: " ", count: 1 << 10)).utf8)
    await #expect {
      try await store.publish(large, expecting: nil, percent: nil, note: Self.note)
    } throws: {
      let error = $0 as? DefinitionStoreError
      return error?.code == .notWritten && error?.message.contains("1024 bytes") == true
    }
    try await self.store(etcd).publish(large, expecting: nil, percent: nil, note: Self.note)
    let (received, subscription) = log(store)
    await received.wait { $0.contains { $0.contains("above the limit of 1024") } }
    subscription.cancel()
  }

  @Test("A document of several pieces comes back as it was")
  func joinsPieces() async throws {
    let etcd = FakeEtcd()
    let store = try store(etcd)
    let text = Array((HTTPResponse.document(1) + String(repeating: " ", count: EtcdSet.chunkSize * 2)).utf8)
    try await store.publish(text, expecting: nil, percent: nil, note: Self.note)
    #expect(try await store.text(of: 1) == text)
    #expect(etcd.state.value.entries.keys.count { $0.contains("/documents/") } == 3)
    let follower = try self.store(etcd)
    let (received, subscription) = log(follower)
    await received.wait { $0.last == "1" }
    #expect(follower.current?.text == text)
    subscription.cancel()
  }
}

extension ManualClock {
  /// Lets the time pass for which each of some stores rests after a change.
  func passPause(of stores: Int = 1) async {
    await waitForSleeper(for: .milliseconds(100), count: stores)
    advance(by: .milliseconds(100))
  }
}

extension FakeEtcd {
  /// The head with another number.
  fileprivate func head(numbered number: Int) -> String {
    String(decoding: state.value.entries["/flags/app/head"]?.value ?? [], as: UTF8.self)
      .replacing(/"number":\d+/, with: "\"number\":\(number)")
  }
}

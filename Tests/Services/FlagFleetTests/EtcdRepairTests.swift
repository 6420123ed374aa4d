import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagPublishing
import FlagSupport
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite("Sets on etcd that others have damaged, in memory", .timeLimit(.minutes(15)))
struct EtcdRepairTests {
  private static let note = PublicationNote(author: "ann")
  private static let root = "/flags/app/"

  private static func text(_ size: Int) -> [UInt8] { Array(HTTPResponse.document(size).utf8) }

  private static func store(_ etcd: FakeEtcd) throws -> EtcdDefinitionStore {
    EtcdDefinitionStore(
      set: "app", settings: try EtcdSettings(endpoints: ["https://a"]), environment: ServiceEnvironment(etcd))
  }

  /// A set with two revisions; the document of the second has a size, above which it is in pieces of its own.
  private static func published(
    _ etcd: FakeEtcd, size: Int = EtcdSet.smallSize
  ) async throws -> (EtcdDefinitionStore, large: [UInt8]) {
    let store = try store(etcd)
    let large = text(2) + [UInt8](repeating: 0x20, count: size)
    for text in [text(1), large] {
      try await store.publish(text, expecting: try await store.head(), percent: nil, note: note)
    }
    return (store, large)
  }

  private static func revision(_ number: Int) -> String { EtcdKeys(prefix: "/flags", set: "app").revision(number) }

  /// A key that someone writes, or removes.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: BrokenPart.Kind
    /// The end of the key; for a document the number of the piece.
    let key: String
    var value: String? = "garbage"
    /// The number that the next revision has.
    var next = 3

    func key(_ fingerprint: String) -> String {
      EtcdRepairTests.root + (kind == .document ? "documents/\(fingerprint)/\(key)" : key)
    }

    static let all = [
      Damage(testDescription: "a piece of another size", kind: .document, key: "0001"),
      Damage(testDescription: "a piece that is missing", kind: .document, key: "0000", value: nil),
      Damage(testDescription: "the head", kind: .head, key: "head"),
      Damage(testDescription: "a head that is missing", kind: .head, key: "head", value: nil),
      Damage(testDescription: "an entry", kind: .entry, key: "revisions/00000000000000000002"),
      Damage(
        testDescription: "an entry of another number", kind: .entry, key: "revisions/00000000000000000001",
        value: #"{"number":7}"#),
      Damage(testDescription: "the next number", kind: .entry, key: "revisions/00000000000000000003", next: 4),
      Damage(testDescription: "the last number", kind: .entry, key: "revisions/99999999999999999999"),
      Damage(testDescription: "no number", kind: .entry, key: "revisions/x"),
    ]
  }

  @Test(
    "The broken part is named by its key, hides nothing else, and publishing over it repairs it", arguments: Damage.all)
  func repairs(damage: Damage) async throws {
    let etcd = FakeEtcd()
    // A document of two pieces takes a while to hash.
    let (store, large) = try await Self.published(etcd, size: damage.kind == .document ? EtcdSet.chunkSize : 0)
    let head = try #require(try await store.head())
    let key = damage.key(head.revision.fingerprint)
    if let value = damage.value { etcd.put(key, value) } else { etcd.remove(key) }

    #expect(try await store.brokenParts().map(\.key) == [key])
    #expect(try await store.brokenParts().map(\.kind) == [damage.kind])
    let isFirst = damage.key.hasSuffix("1") && damage.kind == .entry
    #expect(try await store.history(limit: 9).map(\.number) == (isFirst ? [2] : [2, 1]))

    let definitions = try StoredDefinitions(parsing: large)
    switch damage.kind {
    case .head:
      let error = await #expect(throws: DefinitionStoreError.self) { try await store.head() }
      #expect(error?.code == .broken && error?.message.hasPrefix("\(key) is broken: ") == true)
      await #expect(throws: DefinitionStoreError.self, "nobody has seen it") {
        try await store.publish(definitions, expecting: head, percent: nil, note: Self.note)
      }
      let next = try await store.replaceBrokenHead(with: definitions, note: Self.note)
      #expect(next.revision.number == damage.next)
    case .document:
      let error = await #expect(throws: DefinitionStoreError.self) { try await store.text(of: 2) }
      #expect(error?.code == .broken && error?.message.hasPrefix("\(key) is broken: ") == true)
      fallthrough
    case .entry:
      let next = try await store.publish(definitions, expecting: head, percent: nil, note: Self.note)
      #expect(next.revision.number == damage.next)
      await #expect(throws: DefinitionStoreError.self, "the head is no broken one") {
        try await store.replaceBrokenHead(with: definitions, note: Self.note)
      }
    }
    #expect(try await store.text(of: damage.next) == large, "pieces that are broken are written again")
    _ = try await store.prune(keeping: 5)
    #expect(try await store.brokenParts() == [])
    #expect(try await store.text(of: damage.next) == large)
  }

  @Test("A document that cannot be served is a broken part, though its text is the published one")
  func findsUnservable() async throws {
    let etcd = FakeEtcd()
    let store = try Self.store(etcd)
    try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    let fingerprint = SHA256.hex(of: "{".utf8)
    let record = EtcdRevision(number: 2, fingerprint: fingerprint, timestamp: 1, chunks: 1, size: 1)
    etcd.put(Self.root + "documents/\(fingerprint)/0000", "{")
    etcd.put(Self.root + "head", String(decoding: EtcdHead(revision: record).bytes, as: UTF8.self))
    let part = try #require(try await store.brokenParts().first)
    #expect(part.key == Self.root + "documents/\(fingerprint)/" && part.revision == 2)
    #expect(part.problem.contains("line 1") || part.problem.contains("1:2"), "\(part)")
  }

  @Test("Numbers that are used up are an error, not a trap")
  func endsNumbers() async throws {
    let etcd = FakeEtcd()
    let store = try Self.store(etcd)
    let first = try await store.publish(Self.text(1), expecting: nil, percent: nil, note: Self.note)
    for number in [Int.max - 1, .max] {
      let fingerprint = first.revision.fingerprint
      let record = EtcdRevision(number: number, fingerprint: fingerprint, timestamp: 1, chunks: 1, size: 1)
      etcd.put(Self.root + "head", String(decoding: EtcdHead(revision: record).bytes, as: UTF8.self))
      let error = await #expect(throws: DefinitionStoreError.self) {
        try await store.publish(Self.text(2), expecting: try await store.head(), percent: nil, note: Self.note)
      }
      #expect(error?.code == (number == .max ? .broken : .notWritten))
    }
    let next = try await store.replaceBrokenHead(with: StoredDefinitions(parsing: Self.text(2)), note: Self.note)
    #expect(next.revision.number == 2)
  }

  // MARK: Beside a publisher that keeps one revision

  @Test("A follower whose document was pruned while it was read takes the newer one, and reports no failure")
  func followsPruned() async throws {
    let etcd = FakeEtcd()
    let (publisher, large) = try await Self.published(etcd)
    let before = etcd.state.value.entries
    try await publisher.publish(
      large + [0x20], expecting: try await publisher.head(), percent: nil, note: Self.note)
    try await publisher.prune(keeping: 1)
    let after = etcd.state.value.entries
    await publisher.close()

    let isPruned = Watched(false)
    let changing = Locked<FakeEtcd?>(nil)
    let other = FakeEtcd { _, request in
      if request.key.contains("/documents/"), !isPruned.value {
        isPruned.change { $0 = true }
        changing.withLock { $0 }?.state.change { $0.entries = after }
      }
      return nil
    }
    other.state.change { state in
      state.entries = before
      state.revision = 100
    }
    changing.withLock { $0 = other }
    let store = try Self.store(other)
    let seen = Watched<[String]>([])
    let subscription = store.subscribe { update in
      switch update {
      case .success(let definitions): seen.change { $0.append(definitions.version.rawValue) }
      case .failure(let error): seen.change { $0.append("\(error)") }
      }
    }
    await seen.wait { !$0.isEmpty }
    #expect(seen.value == ["3"])
    #expect(isPruned.value)
    subscription.cancel()
    changing.withLock { $0 = nil }
  }

  @Test(
    "A revision that is pruned while it is read is one that is not there, not a broken one", arguments: [false, true])
  func readsPruned(isChecked: Bool) async throws {
    let etcd = Locked<FakeEtcd?>(nil)
    let isPruning = Watched(false)
    let pruned = SHA256.hex(of: Self.text(1))
    let fake = FakeEtcd { _, request in
      let isKeysOnly = request.body[etcd: "keys_only"] == .bool(true)
      guard isPruning.value, request.path == "kv/range", request.key.contains("/documents/"), isKeysOnly == isChecked
      else { return nil }
      etcd.withLock { $0 }?.state.change { state in
        for key in state.entries.keys where key.contains(pruned) || key == Self.revision(1) { state.remove(key) }
      }
      return nil
    }
    etcd.withLock { $0 = fake }
    let (store, _) = try await Self.published(fake)
    isPruning.change { $0 = true }
    if isChecked {
      #expect(try await store.brokenParts() == [])
    } else {
      #expect(try await store.text(of: 1) == nil)
    }
    #expect(fake.state.value.entries[Self.revision(1)] == nil)
    etcd.withLock { $0 = nil }
  }
}

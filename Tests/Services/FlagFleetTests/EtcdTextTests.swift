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

@Suite("The text beside a head, in memory", .timeLimit(.minutes(15)))
struct EtcdTextTests {
  private static let text = "/flags/app/head/text"

  /// A store at a member of its own, so that its requests can be told apart from others'.
  private static func store(
    _ etcd: FakeEtcd, at member: String, server: String? = nil
  ) throws -> EtcdDefinitionStore {
    EtcdDefinitionStore(
      set: "app", server: server, settings: try EtcdSettings(endpoints: ["https://\(member)"]),
      environment: ServiceEnvironment(etcd))
  }

  /// A document of a size in bytes.
  private static func document(_ number: Int, of size: Int = 0) -> [UInt8] {
    let text = Array(HTTPResponse.document(number).utf8)
    return text + [UInt8](repeating: 0x20, count: max(0, size - text.count))
  }

  @discardableResult
  private static func publish(
    _ text: [UInt8], to store: EtcdDefinitionStore, percent: Int? = nil
  ) async throws -> PublishedHead {
    try await store.publish(
      text, expecting: try await store.head(), percent: percent, note: PublicationNote(author: "ann"))
  }

  /// Waits until a store runs a revision.
  private static func wait(for revision: Int, in store: EtcdDefinitionStore) async {
    let running = Watched("")
    let subscription = store.subscribe { update in
      if case .success(let definitions) = update { running.change { $0 = definitions.version.rawValue } }
    }
    await running.wait { $0 == "\(revision)" }
    subscription.cancel()
  }

  private static func paths(_ etcd: FakeEtcd, _ member: String) -> [String] {
    etcd.requests
      .filter { request in
        // Reports of servers are not about texts.
        let isReport = request.path.hasPrefix("lease") || request.path == "kv/txn" || request.key.contains("/servers/")
        return request.host == member && !isReport
      }
      .map(\.path)
  }

  @Test(
    "A text of 64 KiB at most comes with its head, and nothing is asked for; a larger one is fetched",
    arguments: [(0, true), (64 << 10, true), (64 << 10 + 1, false)])
  func comesWithHead(size: Int, isSmall: Bool) async throws {
    let etcd = FakeEtcd()
    let publisher = try Self.store(etcd, at: "p")
    try await Self.publish(Self.document(1, of: size), to: publisher)
    let follower = try Self.store(etcd, at: "f")
    await Self.wait(for: 1, in: follower)
    await etcd.waitForRequests(1) { $0.host == "f" && $0.path == "watch" }
    for revision in 2...4 {
      try await Self.publish(Self.document(revision, of: size), to: publisher)
      await Self.wait(for: revision, in: follower)
      #expect(follower.current?.text == Self.document(revision, of: size))
    }
    let asked = Self.paths(etcd, "f").filter { $0 != "watch" }
    #expect(asked.count == (isSmall ? 1 : 5), "\(asked)")
    #expect((etcd.state.value.entries[Self.text] != nil) == isSmall)
    #expect(try await publisher.text(of: 1) == Self.document(1, of: size), "the history has it")
  }

  @Test("A text that becomes large leaves nothing beside the head, and is small again later")
  func changesSize() async throws {
    let etcd = FakeEtcd()
    let publisher = try Self.store(etcd, at: "p")
    let follower = try Self.store(etcd, at: "f")
    for (number, size) in [(1, 0), (2, 1 << 17), (3, 0)] {
      try await Self.publish(Self.document(number, of: size), to: publisher)
      await Self.wait(for: number, in: follower)
      #expect(follower.current?.text == Self.document(number, of: size))
      #expect((etcd.state.value.entries[Self.text] == nil) == (size > 0))
    }
  }

  @Test(
    "Where what is beside the head is not its text, the text is fetched, and nobody sees another one",
    arguments: [nil, "", "garbage", HTTPResponse.document(9)])
  func checksText(beside: String?) async throws {
    let etcd = FakeEtcd()
    let publisher = try Self.store(etcd, at: "p")
    try await Self.publish(Self.document(1), to: publisher)
    if let beside { etcd.put(Self.text, beside, notifies: false) } else { etcd.remove(Self.text) }
    let follower = try Self.store(etcd, at: "f")
    await Self.wait(for: 1, in: follower)
    #expect(follower.current?.text == Self.document(1))
    // As someone writes it who knows of no text beside the head.
    let head = String(decoding: etcd.state.value.entries["/flags/app/head"]?.value ?? [], as: UTF8.self)
    etcd.put(Self.text, beside ?? "", notifies: true)
    etcd.put("/flags/app/head", head.replacing("\"number\":1", with: "\"number\":2"))
    await Self.wait(for: 2, in: follower)
    #expect(follower.current?.text == Self.document(1))
  }

  @Test("A candidate's text is with all servers before they run it: to widen its share, nobody has to ask for it")
  func keepsCandidate() async throws {
    let etcd = FakeEtcd()
    let publisher = try Self.store(etcd, at: "p")
    try await Self.publish(Self.document(1), to: publisher)
    let followers = try (0..<3).map { try Self.store(etcd, at: "f", server: "web-\($0)") }
    for follower in followers { await Self.wait(for: 1, in: follower) }
    await etcd.waitForRequests(3) { $0.host == "f" && $0.path == "watch" }
    let asked = Self.paths(etcd, "f").count
    let staged = try await Self.publish(Self.document(2), to: publisher, percent: 1)
    let widened = try await publisher.stage(percent: 100, expecting: staged)
    #expect(widened.revision.number == 2)
    for follower in followers { await Self.wait(for: 2, in: follower) }
    #expect(Self.paths(etcd, "f").count == asked)
  }
}

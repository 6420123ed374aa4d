import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

@Suite(
  "Members of etcd", .oneAtATime, .serialized, .timeLimit(.minutes(15)),
  .enabled(if: EtcdCluster.Program.isWanted, "\(EtcdCluster.Program.absence)"))
struct EtcdMembersTests {
  /// Where no program is here and there should be one, a test without one fails.
  static let programs: [EtcdCluster.Program?] = EtcdCluster.Program.all.isEmpty ? [nil] : EtcdCluster.Program.all

  @Test(
    "They meet the contract of stores of published definitions, and a provider over them that of all providers",
    arguments: programs)
  func meetsContracts(program: EtcdCluster.Program?) async throws {
    try await RealEtcd.withCluster(program) { cluster in
      let store = try cluster.store("contract")
      try await PublishedDefinitionStoreContract(store) { try cluster.store("contract", server: $0) }.check()
      let publisher = try cluster.store("provider")
      try await RealEtcd.publish(RealEtcd.text(1), to: publisher)
      let provider = try cluster.provider("provider")
      await provider.waitForSize(1)
      var contract = ProviderContract(provider, present: ["size": 1], absent: "none")
      contract.change = .init(to: ["size": 2]) {
        try await RealEtcd.publish(RealEtcd.text(2), to: publisher)
        await provider.waitForSize(2)
      }
      try await contract.check()
    }
  }

  @Test("Two publishers at once: every revision is in the history, and no update is lost")
  func publishesAtOnce() async throws {
    let rounds = Effort.rounds(8, long: 250)
    try await RealEtcd.withCluster { cluster in
      let stores = try (0..<2).map { _ in try cluster.store("race") }
      try await RealEtcd.publish(RealEtcd.text(0), to: stores[0])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for store in stores {
          group.addTask { for _ in 0..<rounds { try await Self.increment(store) } }
        }
        try await group.waitForAll()
      }
      let history = try await stores[0].history(limit: 1000)
      #expect(history.map(\.number) == (1...rounds * 2 + 1).reversed())
      for revision in history {
        let text = try await stores[0].text(of: revision.number)
        #expect(text == RealEtcd.text(revision.number - 1), "each is made of the one before it")
      }
      #expect(try await stores[0].prune(keeping: 3).count == rounds * 2 - 2)
      #expect(try await stores[0].history(limit: 1000).count == 3)
    }
  }

  /// Publishes a document with a number that is one higher.
  private static func increment(_ store: EtcdDefinitionStore) async throws {
    while true {
      let head = try #require(try await store.head())
      let text = try #require(try await store.text(of: head.revision.number))
      let number = try #require(
        String(decoding: text, as: UTF8.self).firstMatch(of: /"v": (\d+)/).flatMap { Int($0.1) })
      do throws(DefinitionStoreError) {
        return _ = try await store.publish(
          RealEtcd.text(number + 1), expecting: head, percent: nil, note: RealEtcd.note)
      } catch {
        guard error.code == .conflict else { throw error }
      }
    }
  }

  @Test("A set of many flags with rules goes there and back, and its changes come through")
  func followsLargeSet() async throws {
    let count = Effort.rounds(1_000, long: 10_000)
    let last = try #require(FlagKey(validating: "flag-\(count - 1)"))
    try await RealEtcd.withCluster(members: 1) { cluster in
      let store = try cluster.store("large")
      let provider = try cluster.provider("large")
      for change in 1...Effort.rounds(2, long: 10) {
        try await RealEtcd.publish(LargeSet.text(flags: count, value: change), to: store)
        await provider.wait {
          $0.read("flag-0", for: FlagUser(id: "a", countryCode: "es")).value == .int(Int128(change))
        }
        #expect(
          provider.read(last, for: FlagUser(id: "a", countryCode: "es")).value == .int(Int128(change)))
        #expect(provider.read("flag-7", for: FlagUser(id: "a", countryCode: "de")).value == 0)
      }
      #expect(store.current?.document.keys.count == count)
    }
  }

  @Test("A member that takes less than a piece says so, and nothing is published")
  func refusesLargeValue() async throws {
    try await RealEtcd.withCluster(members: 1, options: ["--max-request-bytes", "100000"]) { cluster in
      let store = try cluster.store("app")
      let large = RealEtcd.text(1) + [UInt8](repeating: 0x20, count: 200_000)
      let error = await #expect(throws: DefinitionStoreError.self) {
        try await store.publish(large, expecting: nil, percent: nil, note: RealEtcd.note)
      }
      #expect(error?.code == .notWritten)
      #expect(error?.message.contains("too large") == true, "\(String(describing: error))")
      #expect(try await store.head() == nil)
      try await store.publish(RealEtcd.text(1), expecting: nil, percent: nil, note: RealEtcd.note)
    }
  }

  @Test("While etcd removes its own history, a follower that was away finds the newest state, as one change")
  func survivesCompaction() async throws {
    try await RealEtcd.withCluster(members: 1) { cluster in
      let store = try cluster.store("app")
      try await RealEtcd.publish(RealEtcd.text(1), to: store)
      let provider = try cluster.provider("app")
      await provider.waitForSize(1)
      let changes = Watched(0)
      let subscription = provider.subscribe { _ in changes.change { $0 += 1 } }
      try await cluster.run { cluster in
        cluster.kill(0)
        try cluster.start(0)
        try cluster.waitForLeader()
      }
      for number in 2...20 { try await RealEtcd.publish(RealEtcd.text(number), to: store) }
      let answer = try await cluster.run { cluster in
        let revision = EtcdCluster.text("revision", in: try cluster.ask(0, "maintenance/status", "{}")) ?? ""
        return try cluster.ask(0, "kv/compaction", #"{"revision": "\#(revision)", "physical": true}"#)
      }
      #expect(answer.contains("200 OK"))
      // A watch from a revision that is gone is refused, though the answer is a good one, and it is open still.
      let client = EtcdClient(try cluster.settings(), ServiceEnvironment())
      let exchange = try await client.watch("/flags/app/head", from: 2, at: 0)
      var parser = EtcdWatchParser()
      let refusal = await #expect(throws: EtcdError.self) {
        while let bytes = try await exchange.next() { _ = try parser.append(bytes) }
      }
      guard case .refused(.outOfRange, _)? = refusal else {
        return #expect(Bool(false), "\(String(describing: refusal))")
      }
      await provider.waitForSize(20)
      for number in 21...22 { try await RealEtcd.publish(RealEtcd.text(number), to: store) }
      await provider.waitForSize(22)
      #expect(changes.value <= 30)
      subscription.cancel()
    }
  }
}

/// A document of many flags with rules.
enum LargeSet {
  static func text(flags: Int, value: Int) -> [UInt8] {
    let members = (0..<flags).map {
      """
      "flag-\($0)": {"state": "ENABLED", "variants": {"on": \(value), "off": 0}, "defaultVariant": "off",
        "targeting": {"if": [{"in": [{"var": "countryCode"}, ["es", "pt", "c\($0)"]]}, "on", null]}}
      """
    }
    return Array("{\"flags\": {\(members.joined(separator: ",\n"))}}".utf8)
  }
}

import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagPublishing
import FlagTesting
import FlagTransport
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

@Suite(
  "Members of etcd", .sharedMembers, .computing, .serialized, .timeLimit(.minutes(30)),
  .needs(.etcd))
struct EtcdMembersTests {
  @Test("They meet the contract of stores of published definitions, and a provider over them that of all providers")
  func meetsContracts() async throws {
    try await RealEtcd.withShared(Self.checkContracts)
  }

  @Test(
    "So does a member of another version",
    .needs(.bothEtcds))
  func meetsContractsAtOtherVersion() async throws {
    try await RealEtcd.withCluster(EtcdCluster.Program.all.last, members: 1, Self.checkContracts)
  }

  private static func checkContracts(_ cluster: EtcdCluster) async throws {
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

  @Test("Two publishers at once: every revision is in the history, no update is lost, and who follows sees whole sets")
  func publishesAtOnce() async throws {
    let rounds = Effort.rounds(8, long: 250)
    try await RealEtcd.withShared { cluster in
      let stores = try (0..<2).map { _ in try cluster.store("race") }
      try await RealEtcd.publish(Self.text(0), to: stores[0])
      let follower = try cluster.store("race")
      let seen = Watched<[Int]>([])
      let subscription = follower.subscribe { update in
        guard case .success(let definitions) = update, let number = Int(definitions.version.rawValue) else { return }
        seen.change { $0.append(definitions.text == Self.text(number - 1) ? number : -1) }
      }
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
        #expect(text == Self.text(revision.number - 1), "each is made of the one before it")
      }
      await seen.wait { $0.last == rounds * 2 + 1 }
      #expect(seen.value == Set(seen.value).sorted() && seen.value.first ?? 0 > 0, "whole, in order, none twice")
      subscription.cancel()
      #expect(try await stores[0].prune(keeping: 3).count == rounds * 2 - 2)
      #expect(try await stores[0].history(limit: 1000).count == 3)
    }
  }

  /// A document of a number; every third one does not come with its head.
  private static func text(_ number: Int) -> [UInt8] {
    RealEtcd.text(number) + (number % 3 == 0 ? [UInt8](repeating: 0x20, count: EtcdSet.smallSize) : [])
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
          Self.text(number + 1), expecting: head, percent: nil, note: RealEtcd.note)
      } catch {
        guard error.code == .conflict else { throw error }
      }
    }
  }

  @Test("A set of many flags with rules goes there and back; ten changes come through, and the contract holds")
  func followsLargeSet() async throws {
    let (count, changes) = (Effort.rounds(500, long: 10_000), Effort.rounds(2, long: 10))
    let last = try #require(FlagKey(validating: "flag-\(count - 1)"))
    let (spaniard, german) = (FlagUser(id: "a", countryCode: "es"), FlagUser(id: "a", countryCode: "de"))
    try await RealEtcd.withShared { cluster in
      let store = try cluster.store("large")
      let provider = try cluster.provider("large")
      var times = Latencies()
      @Sendable func change(to number: Int) async throws -> Duration {
        let text = LargeSet.text(flags: count, value: number)
        return try await ContinuousClock().measure {
          try await RealEtcd.publish(text, to: store)
          await provider.wait { $0.read("flag-0", for: spaniard).value == .int(Int128(number)) }
        }
      }
      for number in 1...changes {
        times.add(try await change(to: number))
        #expect(provider.read(last, for: spaniard).value == .int(Int128(number)))
        #expect(provider.read("flag-7", for: german).value == 0)
      }
      #expect(store.current?.document.keys.count == count)
      record(
        """
        \(count) flags with rules, \(LargeSet.text(flags: count, value: 1).count) bytes: from the call to publish to \
        the changed read p50 \(times.percentile(50)), at most \(times.longest)
        """)
      if Effort.isLong { #expect(times.longest < .seconds(10)) }
      // Other users get the value of the default variant, until that changes.
      var contract = ProviderContract(provider, present: ["flag-0": 0, "flag-7": 0], absent: "none")
      contract.change = .init(to: ["flag-0": 5, "flag-7": 5]) {
        try await RealEtcd.publish(LargeSet.text(flags: count, value: 3, otherwise: 5), to: store)
        await provider.wait { $0.read("flag-7", for: german).value == 5 }
      }
      try await contract.check()
    }
  }

  @Test(
    "A small text comes with its head, in one message: a server asks for nothing more, of a text published again, too")
  func followsWithoutAsking() async throws {
    try await RealEtcd.withShared { cluster in
      let store = try cluster.store("small")
      try await RealEtcd.publish(RealEtcd.text(1), to: store)
      let network = FaultyNetwork()
      let settings = try cluster.settings { $0.idleLimit = .seconds(600) }
      let provider = DefinitionStoreProvider(sets: ["small"], settings: settings) { network.environment }
      await provider.waitForSize(1)
      await network.sent.wait { $0.contains("watch") }
      for number in [2, 3, 1, 2] {
        try await RealEtcd.publish(RealEtcd.text(number), to: store)
        await provider.waitForSize(number)
        try await store.prune(keeping: 1)
      }
      #expect(network.sent.value == ["kv/range", "watch"])
    }
  }

  @Test("A member with a smaller limit than a chunk is an error, and nothing is published")
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

  @Test(
    "While etcd removes its own history, a follower that was away finds the newest state, as one change",
    arguments: [FaultyNetwork.State.cut, .silent])
  func survivesCompaction(absence: FaultyNetwork.State) async throws {
    try await RealEtcd.withShared { cluster in
      let set = "compacted-\(absence)"
      let store = try cluster.store(set)
      try await RealEtcd.publish(RealEtcd.text(1), to: store)
      let network = FaultyNetwork()
      let settings = try cluster.settings(endpoints: [cluster.endpoints[0]]) {
        $0.idleLimit = .milliseconds(200)
        $0.attemptTimeout = .milliseconds(200)
      }
      let provider = DefinitionStoreProvider(sets: [set], settings: settings) { network.environment }
      await provider.waitForSize(1)
      let seen = Watched<[FlagValue]>([])
      let subscription = provider.subscribe { [weak provider] _ in
        guard let value = provider?.read("size").value else { return }
        seen.change { if $0.last != value { $0.append(value) } }
      }
      network.become(absence)
      await provider.wait { $0.providerStatus.state == .stale }
      for number in 2...8 { try await RealEtcd.publish(RealEtcd.text(number), to: store) }
      try await cluster.run { try $0.compact() }
      #expect(provider.read("size") == Reading(1, "STALE"))
      network.become(.good)
      await provider.waitForSize(8)
      #expect(seen.value.filter { $0 != 1 } == [8], "nothing in between is told")
      try await RealEtcd.publish(RealEtcd.text(9), to: store)
      await provider.waitForSize(9)
      subscription.cancel()
    }
  }

  @Test("A watch that begins at what etcd has removed is refused, though the answer is a good one and stays open")
  func refusesCompactedWatch() async throws {
    try await RealEtcd.withShared { cluster in
      let store = try cluster.store("refused")
      for number in 1...3 { try await RealEtcd.publish(RealEtcd.text(number), to: store) }
      try await cluster.run { try $0.compact() }
      let client = EtcdClient(try cluster.settings(), ServiceEnvironment())
      let exchange = try await client.watch(.key("/flags/refused/head"), from: 2, at: 0)
      var parser = EtcdWatchParser()
      let refusal = await #expect(throws: EtcdError.self) {
        while let bytes = try await exchange.next() { _ = try parser.append(bytes) }
      }
      guard case .refused(.outOfRange, _)? = refusal else {
        return #expect(Bool(false), "\(String(describing: refusal))")
      }
    }
  }

  @Test("When the quota is used up, reads go on and publishing says so; removing old revisions makes room again")
  func survivesFullQuota() async throws {
    try await RealEtcd.withCluster(members: 1, options: ["--quota-backend-bytes", "600000"]) { cluster in
      let store = try cluster.store("app")
      let provider = try cluster.provider("app")
      func text(_ number: Int) -> [UInt8] { RealEtcd.text(number) + [UInt8](repeating: 0x20, count: 100_000) }
      let last = Watched(0)
      let error = await #expect(throws: DefinitionStoreError.self) {
        for number in 1...20 {
          try await store.publish(text(number), expecting: try await store.head(), percent: nil, note: RealEtcd.note)
          last.change { $0 = number }
        }
      }
      let published = last.value
      #expect(error?.code == .notWritten)
      #expect(error?.message.contains("space exceeded") == true, "\(String(describing: error))")
      #expect(published > 1)
      #expect(try await store.history(limit: 100).count == published)
      await provider.waitForSize(published)
      #expect(try await store.prune(keeping: 1).count == published - 1)
      try await cluster.run { cluster in
        try cluster.compact()
        try cluster.ask(0, "maintenance/defragment", "{}")
        let member = EtcdCluster.text("member_id", in: try cluster.ask(0, "maintenance/status", "{}")) ?? ""
        try cluster.ask(
          0, "maintenance/alarm", #"{"action": "DEACTIVATE", "memberID": "\#(member)", "alarm": "NOSPACE"}"#)
      }
      try await store.publish(text(99), expecting: try await store.head(), percent: nil, note: RealEtcd.note)
      await provider.waitForSize(99)
    }
  }
}

/// A document of many flags with rules.
enum LargeSet {
  static func text(flags: Int, value: Int, otherwise: Int = 0) -> [UInt8] {
    let members = (0..<flags).map {
      """
      "flag-\($0)": {"state": "ENABLED", "variants": {"on": \(value), "off": \(otherwise)}, "defaultVariant": "off",
        "targeting": {"if": [{"in": [{"var": "countryCode"}, ["es", "pt", "c\($0)"]]}, "on", null]}}
      """
    }
    return Array("{\"flags\": {\(members.joined(separator: ",\n"))}}".utf8)
  }
}

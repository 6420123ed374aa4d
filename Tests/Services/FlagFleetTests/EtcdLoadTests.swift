import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagPublishing
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagFleet
@testable import FlagRemote

/// The latency and cost of changes.
///
/// Figures are printed; what is expected of them leaves room for a busy machine, and the long form is for a quiet one.
@Suite(
  "Members of etcd under load", .sharedMembers, .computing, .serialized, .timeLimit(.minutes(30)),
  .needs(.etcd))
struct EtcdLoadTests {
  @Test("A change that is published is read elsewhere soon")
  func propagates() async throws {
    try await RealEtcd.withShared { cluster in
      let store = try cluster.store("app")
      try await RealEtcd.publish(RealEtcd.text(0), to: store)
      let providers = try (0..<3).map { _ in try cluster.provider("app") }
      for provider in providers { await provider.waitForSize(0) }
      var (writes, reads) = (Latencies(), Latencies())
      let clock = ContinuousClock()
      let worked = try cluster.processorTime()
      for number in 1...Effort.rounds(20, long: 1000) {
        // Changes that come alone: of more than ten a second a server takes over some together.
        if Effort.isLong { try await clock.sleep(for: .milliseconds(150)) }
        let head = try await store.head()
        let start = clock.now
        try await store.publish(RealEtcd.text(number), expecting: head, percent: nil, note: RealEtcd.note)
        writes.add(start.duration(to: clock.now))
        await providers[number % 3].waitForSize(number)
        reads.add(start.duration(to: clock.now))
      }
      let size = try await cluster.run { try $0.databaseSize(0) }
      let cost = try cluster.processorTime().flatMap { now in worked.map { (now - $0) / reads.count } }
      record(
        """
        \(reads.count) changes: published p50 \(writes.percentile(50)) p99 \(writes.percentile(99)); \
        read elsewhere, from the call to publish, p50 \(reads.percentile(50)) p99 \(reads.percentile(99)); \
        a member's database \(size) bytes; processor time of all members for a change, with three providers and a \
        publisher, \(cost.map { "\($0)" } ?? "unknown")
        """)
      #expect(reads.percentile(99) < (Effort.isLong ? .seconds(1) : .seconds(10)))
    }
  }

  @Test(
    "Many changes, many watchers: all see the newest one, and the members' size is flat where etcd compacts",
    arguments: [Effort.isLong ? 200 : 5])
  func staysFlat(watchers: Int) async throws {
    let rounds = Effort.rounds(10, long: 1000)
    // By the number of revisions it would compact every five minutes.
    let options = ["--auto-compaction-mode", "periodic", "--auto-compaction-retention", "5s"]
    try await RealEtcd.withCluster(members: 1, options: options) { cluster in
      let store = try cluster.store("app")
      try await RealEtcd.publish(LargeSet.text(flags: 50, value: 0), to: store)
      let crowd = Crowd(try (0..<watchers).map { _ in try cluster.store("app") })
      let clock = ContinuousClock()
      var sizes: [Int] = []
      let (worked, workedHere) = (try cluster.processorTime(), processTime())
      let start = clock.now
      for number in 1...rounds {
        crowd.begin(number + 1)
        try await RealEtcd.publish(LargeSet.text(flags: 50, value: number), to: store)
        if number % max(1, rounds / 10) == 0 {
          try await store.prune(keeping: 20)
          sizes.append(try await cluster.run { try $0.databaseSize(0) })
        }
        if Effort.isLong { try await clock.sleep(until: start + .milliseconds(60 * number)) }
      }
      let time = start.duration(to: clock.now)
      let last = try #require(try await store.head()).revision.version
      try await waitUntil { crowd.stores.allSatisfy { $0.current?.version == last } }
      let changes = rounds * watchers
      let cost = try cluster.processorTime().flatMap { now in worked.map { (now - $0) / changes } }
      let costHere = (processTime() - workedHere) / changes
      let seen = crowd.latencies.value
      record(
        """
        \(rounds) changes of 50 flags in \(time), \((Double(rounds) * (.seconds(60) / time)).rounded()) a minute, under \
        \(watchers) watchers; \(seen.count) of \(changes) seen, the others with the next one, from the call to publish \
        p50 \(seen.percentile(50)) p99 \(seen.percentile(99)); processor time for each change and watcher: the \
        member's \(cost.map { "\($0)" } ?? "unknown"), ours \(costHere); its database's sizes \(sizes)
        """)
      #expect(try await store.history(limit: 1000).count <= 20 + rounds / 10)
      guard Effort.isLong else { return }
      #expect(Double(sizes[9]) < Double(sizes[4]) * 1.25, "it grows no more once etcd compacts")
      guard Effort.isOptimized else { return }
      #expect(time < .seconds(65))
      #expect(seen.percentile(99) < .seconds(1))
    }
  }

  /// Reads cost processor time alone, and the more of it, the more threads take turns at what they share.
  ///
  /// In the everyday run the machine is everybody's, and the reads are few: there only a standstill fails.
  @Test("Reads for requests go on, on one thread and on two, beside a provider that changes ten times a second")
  func readsBesideChanges() async throws {
    try await RealEtcd.withShared { cluster in
      let store = try cluster.store("read")
      try await RealEtcd.publish(RealEtcd.text(0), to: store)
      let provider = try cluster.provider("read")
      await provider.waitForSize(0)
      let client = try FeatureFlagClient(catalogs: []) { provider }
      let quiet = [try await Self.speed(of: client, threads: 1), try await Self.speed(of: client, threads: 2)]
      let isOver = Watched(false)
      let publisher = Task {
        var number = 0
        let clock = ContinuousClock()
        let start = clock.now
        while !isOver.value {
          number += 1
          try await RealEtcd.publish(RealEtcd.text(number), to: store)
          let next = start + .milliseconds(100 * number)
          try await waitUntil { isOver.value || clock.now >= next }
        }
        return number
      }
      let busy = [try await Self.speed(of: client, threads: 1), try await Self.speed(of: client, threads: 2)]
      isOver.change { $0 = true }
      record(
        """
        reads a second, and a second of processor time: quiet \(quiet), beside \(try await publisher.value) changes \
        \(busy)
        """)
      let bar = Effort.isLong ? 0.6 : 0.05
      for (busy, quiet) in zip(busy, quiet) { #expect(busy.ofProcessor > bar * quiet.ofProcessor) }
      #expect(busy[1].ofProcessor > bar * busy[0].ofProcessor, "a second thread costs the first one little")
      // Etcd, the publisher and the provider are on the same two cores.
      if Effort.isLong { #expect(busy[1].ofAll > busy[0].ofAll, "and reads more") }
    }
  }

  /// Reads a second that all threads do together, and those that a thread does in a second of its processor time.
  private static func speed(
    of client: FeatureFlagClient, threads: Int
  ) async throws -> (ofAll: Int, ofProcessor: Double) {
    let flag = Flag("size", default: -1, "A number.")
    let count = Effort.rounds(10_000, long: 1_000_000)
    let worked = Watched(Duration.zero)
    let time = try await ContinuousClock().measure {
      try await onThreads(threads) { number in
        let time = try processorTime {
          for index in 0..<count {
            let manager = client.manager(for: index % 100 == 0 ? FlagUser(id: "\(number)") : nil)
            if manager.variation(for: flag) < 0 { throw EtcdCluster.Failure(description: "a read found nothing") }
          }
        }
        worked.change { $0 += time }
      }
    }
    let all = Double(count * threads)
    return (Int(all / (time / .seconds(1))), (all / (worked.value / .seconds(1))).rounded())
  }
}

/// Stores that follow a set, and how long each took to see each of its revisions.
private final class Crowd: Sendable {
  let stores: [EtcdDefinitionStore]
  let latencies = Watched(Latencies())
  private let starts = Watched<[String: ContinuousClock.Instant]>([:])
  private let subscriptions: [FlagSubscription]

  init(_ stores: [EtcdDefinitionStore]) {
    self.stores = stores
    subscriptions = stores.map { [starts, latencies] store in
      store.subscribe { update in
        guard case .success(let definitions) = update, let start = starts.value[definitions.version.rawValue] else {
          return
        }
        let time = start.duration(to: .now)
        latencies.change { $0.add(time) }
      }
    }
  }

  /// Takes note that a revision is about to be published.
  func begin(_ revision: Int) { starts.change { $0["\(revision)"] = .now } }
}

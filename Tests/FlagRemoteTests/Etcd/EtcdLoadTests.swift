import FlagComposition
import FlagDefinitions
import FlagDomain
import FlagTesting
import Foundation
import TestSupport
import Testing

@testable import FlagRemote

/// How long changes take, and what they cost.
///
/// Figures are printed; what is expected of them leaves room for a busy machine, and the long form is for a quiet one.
@Suite(
  "Members of etcd under load", .oneAtATime, .serialized, .timeLimit(.minutes(30)),
  .enabled(if: EtcdCluster.Program.isWanted, "\(EtcdCluster.Program.absence)"))
struct EtcdLoadTests {
  @Test("A change that is published is read elsewhere soon")
  func propagates() async throws {
    try await RealEtcd.withCluster { cluster in
      let store = try cluster.store("app")
      try await RealEtcd.publish(RealEtcd.text(0), to: store)
      let providers = try (0..<3).map { _ in try cluster.provider("app") }
      for provider in providers { await provider.waitForSize(0) }
      var (writes, reads) = (Latencies(), Latencies())
      let clock = ContinuousClock()
      for number in 1...Effort.rounds(30, long: 1000) {
        let head = try await store.head()
        let start = clock.now
        try await store.publish(RealEtcd.text(number), expecting: head, percent: nil, note: RealEtcd.note)
        writes.add(start.duration(to: clock.now))
        await providers[number % 3].waitForSize(number)
        reads.add(start.duration(to: clock.now))
      }
      let size = try await cluster.run { try $0.databaseSize(0) }
      record(
        """
        \(reads.count) changes: published p50 \(writes.percentile(50)) p99 \(writes.percentile(99)); \
        read elsewhere, from the call to publish, p50 \(reads.percentile(50)) p99 \(reads.percentile(99)); \
        a member's database \(size) bytes
        """)
      #expect(reads.percentile(99) < (Effort.isLong ? .seconds(1) : .seconds(10)))
    }
  }

  @Test("Many changes, many watchers: all see the newest one, and the members' size is flat where etcd compacts")
  func staysFlat() async throws {
    let (watchers, rounds) = (Effort.rounds(5, long: 200), Effort.rounds(10, long: 1000))
    let options = ["--auto-compaction-mode", "revision", "--auto-compaction-retention", "200"]
    try await RealEtcd.withCluster(members: 1, options: options) { cluster in
      let store = try cluster.store("app")
      func text(_ number: Int) -> [UInt8] {
        Array((String(decoding: LargeSet.text(flags: 50, value: number), as: UTF8.self)).utf8)
      }
      try await RealEtcd.publish(text(0), to: store)
      let followers = try (0..<watchers).map { _ in try cluster.store("app") }
      let clock = ContinuousClock()
      var sizes: [Int] = []
      let start = clock.now
      for number in 1...rounds {
        try await RealEtcd.publish(text(number), to: store)
        if number % max(1, rounds / 10) == 0 {
          try await store.prune(keeping: 20)
          sizes.append(try await cluster.run { try $0.databaseSize(0) })
        }
        if Effort.isLong { try await clock.sleep(until: start + .milliseconds(60 * number)) }
      }
      let time = start.duration(to: clock.now)
      let last = try #require(try await store.head()).revision.version
      try await waitUntil { followers.allSatisfy { $0.current?.version == last } }
      record("\(rounds) changes in \(time) under \(watchers) watchers; database sizes \(sizes)")
      #expect(try await store.history(limit: 1000).count <= 20 + rounds / 10)
      if Effort.isLong { #expect(sizes[9] < sizes[4] * 2, "it grows no more once etcd compacts") }
    }
  }

  @Test("Reads do not stand still beside a provider whose definitions change ten times a second")
  func readsBesideChanges() async throws {
    try await RealEtcd.withCluster(members: 1) { cluster in
      let store = try cluster.store("app")
      try await RealEtcd.publish(RealEtcd.text(0), to: store)
      let provider = try cluster.provider("app")
      await provider.waitForSize(0)
      let client = try FeatureFlagClient(catalogs: []) { provider }
      let flag = Flag("size", default: -1, "A number.")
      func measure(_ threads: Int) async throws -> Int {
        let count = Effort.rounds(10_000, long: 1_000_000)
        let time = try await ContinuousClock().measure {
          try await onThreads(threads) { number in
            for index in 0..<count {
              let manager = client.manager(for: index % 100 == 0 ? FlagUser(id: "\(number)") : nil)
              if manager.variation(for: flag) < 0 { throw EtcdCluster.Failure(description: "a read found nothing") }
            }
          }
        }
        return Int(Double(count * threads) / (time / .seconds(1)))
      }
      var (figures, quiet) = ([String](), [Int]())
      for isChanging in [false, true] {
        let isOver = Watched(!isChanging)
        let publisher = Task {
          var number = 0
          while !isOver.value {
            number += 1
            try await RealEtcd.publish(RealEtcd.text(number), to: store)
            try await Task.sleep(for: .milliseconds(100))
          }
          return number
        }
        let speeds = [try await measure(1), try await measure(2)]
        if isChanging {
          // In the everyday run the machine is everybody's, and the reads are few: there only a standstill fails.
          let share = Effort.isLong ? 0.5 : 0.05
          for (speed, before) in zip(speeds, quiet) { #expect(Double(speed) > share * Double(before)) }
        } else {
          quiet = speeds
        }
        isOver.change { $0 = true }
        figures.append(
          "\(try await publisher.value) changes: \(speeds[0]) reads a second by one thread, \(speeds[1]) by two")
      }
      record(figures.joined(separator: "; "))
    }
  }
}

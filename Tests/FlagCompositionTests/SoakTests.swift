import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagComposition

@Suite("Concurrency, all at once", .timeLimit(.minutes(15)))
struct SoakTests {
  private let number = Flag("soak-number", default: -1, "")
  private let text = Flag("soak-text", default: "", "")
  private let who = Flag("soak-user", default: "visitor", "")

  /// The duration, unless `FLAGS_SOAK_SECONDS` sets another.
  private var duration: Duration {
    let seconds = ProcessInfo.processInfo.environment["FLAGS_SOAK_SECONDS"].flatMap(Double.init)
    return .seconds(seconds ?? (Effort.isThorough ? 1 : 0.3))
  }

  @Test("Readers, writers, subscribers and users come and go; at rest nothing is stale and nothing is left")
  func survives() async throws {
    let provider = InMemoryProvider()
    let flags = try compose {
      provider
      StubProvider { key, context in key == "soak-user" ? context.user.map { FlagAnswer(.string($0.id)) } : nil }
    }
    let end = ContinuousClock.now + duration
    let subscribers = (0..<2).map { _ in Task { await subscribe(until: end, to: flags) } }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { write(until: end, to: provider) }
      group.addTask { override(until: end, in: flags) }
      group.addTask { signInAndOut(until: end, with: flags) }
      for _ in 0..<2 { group.addTask { read(until: end, from: flags) } }
    }
    // One may wait for a change that no one makes any more.
    for subscriber in subscribers {
      subscriber.cancel()
      await subscriber.value
    }
    try expectRest(of: flags, provider)
  }

  @Test(
    "Every way of reading beside every way of changing, on any number of threads", arguments: [1, 4, 16])
  func survivesOnThreads(threads: Int) throws {
    let soak = try AllAtOnce()
    let end = ContinuousClock.now + duration
    let failures = Locked<[String]>([])
    onThreads(threads + 1) { thread in
      var (round, generator) = (0, SeededGenerator(seed: UInt64(thread + 1)))
      while ContinuousClock.now < end {
        round += 1
        let failed =
          thread == threads || generator.next() % 64 == 0
          ? soak.change(Int(generator.next() % 8), round) : soak.read(Int(generator.next() % 10))
        if let failed { failures.withLock { if $0.count < 10 { $0.append(failed) } } }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(soak.flags.current.feeds.count == 0)
  }

  private func write(until end: ContinuousClock.Instant, to provider: InMemoryProvider) {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      provider.write(["soak-number": .int(Int128(round)), "soak-text": .string("the text of round \(round)")])
    }
  }

  private func override(until end: ContinuousClock.Instant, in flags: FeatureFlagClient) {
    while ContinuousClock.now < end {
      #expect(throws: Never.self) {
        try flags.overrides.override(number, with: -2)
        try flags.overrides.clearOverrides()
      }
    }
  }

  private func signInAndOut(until end: ContinuousClock.Instant, with flags: FeatureFlagClient) {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      flags.authenticator.setUser(FlagUser(id: "user \(round)"))
      #expect(flags.manager.variation(for: who) == "user \(round)")
      flags.authenticator.setUser(nil)
      #expect(flags.manager.variation(for: who) == "visitor")
    }
  }

  private func read(until end: ContinuousClock.Instant, from flags: FeatureFlagClient) {
    while ContinuousClock.now < end {
      #expect(flags.manager.variation(for: number) >= -2)
      let cut = flags.snapshots.snapshot()
      let round = cut.variation(for: number)
      if round > 0 { #expect(cut.variation(for: text) == "the text of round \(round)") }
      #expect(flags.manager(for: FlagUser(id: "request")).variation(for: who) == "request")
    }
  }

  private func subscribe(until end: ContinuousClock.Instant, to flags: FeatureFlagClient) async {
    while ContinuousClock.now < end {
      var values = flags.observer.values(of: number).makeAsyncIterator()
      var last = await values.next()
      for _ in 0..<5 {
        guard let next = await values.next() else { return }
        #expect(next != last)
        last = next
      }
    }
  }

  private func expectRest(of flags: FeatureFlagClient, _ provider: InMemoryProvider) throws {
    flags.authenticator.setUser(FlagUser(id: "last"))
    provider.write(["soak-number": 7, "soak-text": "the end"])
    #expect(flags.manager.variation(for: number) == 7)
    #expect(flags.manager.variation(for: text) == "the end")
    #expect(flags.manager.variation(for: who) == "last")
    #expect(flags.current.feeds.count == 0)
  }
}

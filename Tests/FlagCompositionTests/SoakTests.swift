import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import Testing

@testable import FlagComposition

@Suite("Concurrency, all at once", .timeLimit(.minutes(10)))
struct SoakTests {
  private let number = Flag("soak-number", default: -1, "")
  private let text = Flag("soak-text", default: "", "")
  private let who = Flag("soak-user", default: "visitor", "")

  /// How long it goes on; `FLAGS_SOAK_SECONDS` says otherwise.
  private var duration: Duration {
    .seconds(ProcessInfo.processInfo.environment["FLAGS_SOAK_SECONDS"].flatMap(Double.init) ?? 1)
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

  private func write(until end: ContinuousClock.Instant, to provider: InMemoryProvider) {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      provider.write(["soak-number": .int(Int128(round)), "soak-text": .string("the text of round \(round)")])
    }
  }

  private func override(until end: ContinuousClock.Instant, in flags: FlagComposition) {
    while ContinuousClock.now < end {
      #expect(throws: Never.self) {
        try flags.overrides.override(number, with: -2)
        try flags.overrides.clearOverrides()
      }
    }
  }

  private func signInAndOut(until end: ContinuousClock.Instant, with flags: FlagComposition) {
    var round = 0
    while ContinuousClock.now < end {
      round += 1
      flags.authenticator.setUser(User(id: "user \(round)"))
      #expect(flags.manager.variation(for: who) == "user \(round)")
      flags.authenticator.setUser(nil)
      #expect(flags.manager.variation(for: who) == "visitor")
    }
  }

  private func read(until end: ContinuousClock.Instant, from flags: FlagComposition) {
    while ContinuousClock.now < end {
      #expect(flags.manager.variation(for: number) >= -2)
      let cut = flags.snapshots.snapshot()
      let round = cut.variation(for: number)
      if round > 0 { #expect(cut.variation(for: text) == "the text of round \(round)") }
      #expect(flags.manager(for: User(id: "request")).variation(for: who) == "request")
    }
  }

  private func subscribe(until end: ContinuousClock.Instant, to flags: FlagComposition) async {
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

  private func expectRest(of flags: FlagComposition, _ provider: InMemoryProvider) throws {
    flags.authenticator.setUser(User(id: "last"))
    provider.write(["soak-number": 7, "soak-text": "the end"])
    #expect(flags.manager.variation(for: number) == 7)
    #expect(flags.manager.variation(for: text) == "the end")
    #expect(flags.manager.variation(for: who) == "last")
    #expect(flags.live.subscriberCount == 0)
  }
}

import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagComposition

@Suite("Concurrency")
struct ConcurrencyTests {
  @Test("After signing in or out, no thread reads a value of the user before")
  func forgetsUsers() async throws {
    let flags = try compose { StubProvider { _, context in context.user.map { FlagAnswer(.string($0.id)) } } }
    let flag = Flag("user-number", default: "0", "")
    let race = Race()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          while !race.isDone.load(ordering: .acquiring) {
            let before = race.progress.load(ordering: .acquiring)
            let seen = Int(flags.manager.variation(for: flag)) ?? -1
            let after = race.begun.load(ordering: .acquiring)
            // Signed out is an even number: at least one of two that follow each other.
            let isPast = seen == 0 ? before == after && !before.isMultiple(of: 2) : !(before...after).contains(seen)
            if isPast {
              Issue.record("read user \(seen) between the changes \(before) and \(after)")
              return
            }
          }
        }
      }
      for number in 1...2000 {
        race.begun.store(number, ordering: .releasing)
        // Odd numbers sign in; even ones sign out, and leave the default.
        flags.authenticator.setUser(number % 2 == 0 ? nil : FlagUser(id: "\(number)"))
        race.progress.store(number, ordering: .releasing)
      }
      race.isDone.store(true, ordering: .releasing)
    }
  }

  @Test("A snapshot is one cut, over many thousands of reads, however flags that must agree are changed")
  func cutsConsistently() throws {
    let provider = InMemoryProvider(["left": 0, "right": 0])
    let flags = try compose { provider }
    let (left, right) = (Flag("left", default: 0, ""), Flag("right", default: 0, ""))
    let race = Race()
    let torn = Atomic(0)
    onThreads(3) { thread in
      if thread == 2 {
        var number = 0
        while race.progress.load(ordering: .acquiring) < 2 {
          number += 1
          provider.write(["left": .int(Int128(number)), "right": .int(Int128(number))])
        }
        return
      }
      for _ in 0..<Effort.rounds(40_000, thorough: 125_000) {
        let cut = flags.snapshots.snapshot()
        _ = flags.manager.variation(for: left)
        let agree = cut.variation(for: left) == cut.variation(for: right)
        if !agree || cut.variation(for: left) != cut.variation(for: right) { torn.add(1, ordering: .relaxed) }
      }
      race.progress.add(1, ordering: .releasing)
    }
    #expect(torn.load(ordering: .relaxed) == 0)
  }

  @Test("A snapshot stays as it was")
  func freezes() throws {
    let provider = InMemoryProvider(["left": 1])
    let flags = try compose { provider }
    let flag = Flag("left", default: 0, "")
    let cut = flags.snapshots.snapshot()
    provider.write(2, for: "left")
    #expect(flags.manager.variation(for: flag) == 2)
    #expect(cut.variation(for: flag) == 1)
  }

  @Test("A snapshot keeps what it said of a flag that is asked anew at each read")
  func freezesTransientAnswers() throws {
    let count = Atomic(0)
    let flag = Flag("counted", default: 0, "") { _ in count.add(1, ordering: .relaxed).newValue }
    let flags = try compose {}
    let cut = flags.snapshots.snapshot()
    #expect(cut.variation(for: flag) == 1)
    #expect(cut.variation(for: flag) == 1)
    #expect(cut.resolution(of: flag).value == 1)
    #expect(flags.manager.variation(for: flag) == 2)
  }

  @Test("A stream that two writers feed ends on the newest value, in 1,000 rounds of 1,000", .timeLimit(.minutes(15)))
  func endsOnNewest() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    let flag = Flag("raced", default: -1, "")
    for round in 0..<1000 {
      var values = flags.observer.values(of: flag).makeAsyncIterator()
      // The first value is read when it is asked for; all that follows must come out of the stream.
      var seen = await values.next()
      #expect(seen == flags.manager.variation(for: flag))
      await withTaskGroup(of: Void.self) { group in
        for writer in 1...2 { group.addTask { provider.write(.int(Int128(round * 10 + writer)), for: "raced") } }
      }
      let last = flags.manager.variation(for: flag)
      #expect(last != seen)
      provider.write(.int(-2), for: "other")
      while seen != last, seen != nil { seen = await values.next() }
      #expect(seen == last)
    }
  }

  @Test("Subscribers that come and go leave nothing behind")
  func dropsSubscribers() async throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    let flag = Flag("raced", default: 0, "")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            let task = Task { for await value in flags.observer.values(of: flag) where value == .max { return } }
            task.cancel()
            await task.value
          }
        }
      }
      group.addTask { for number in 0..<500 { provider.write(.int(Int128(number)), for: "raced") } }
    }
    #expect(flags.current.feeds.count == 0)
  }

  @Test("A provider that hangs while it is asked for a snapshot holds up no read", .timeLimit(.minutes(15)))
  func readsPastHangingProvider() async throws {
    let provider = HangingProvider()
    let memory = InMemoryProvider(["calm": 1])
    let flags = try compose {
      provider; memory
    }
    let flag = Flag("calm", default: 0, "")
    provider.hang()
    #expect(flags.manager.variation(for: flag) == 1)
    memory.write(2, for: "calm")
    #expect(flags.manager.variation(for: flag) == 2)
    flags.authenticator.setUser(FlagUser(id: "1"))
    #expect(flags.manager(for: nil).variation(for: flag) == 2)
    provider.letGo()
  }

  /// A provider whose snapshot, once it hangs, does not come before it is let go.
  private final class HangingProvider: FlagProvider, ProviderSnapshot {
    let name = "hanging"
    private let isHanging = Atomic(false)
    private let hung = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let onChange = Locked<(@Sendable (ChangedKeys) -> Void)?>(nil)

    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }

    func snapshot() -> any ProviderSnapshot {
      guard isHanging.load(ordering: .acquiring) else { return self }
      hung.signal()
      released.wait()
      return self
    }

    func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
      self.onChange.withLock { $0 = onChange }
      return FlagSubscription {}
    }

    /// Changes on a thread of its own, and returns when that thread hangs.
    func hang() {
      isHanging.store(true, ordering: .releasing)
      Thread.detachNewThread { self.onChange.withLock { $0 }?(.all) }
      hung.wait()
    }

    func letGo() { released.signal() }
  }

  @Test("Reading flags inside a callback does not block", arguments: Callback.allCases)
  func readsInside(callback: Callback) async throws {
    let box = Locked<FeatureFlagClient?>(nil)
    let race = Race()
    let inner = Flag("inner", default: 0, "")
    let read: @Sendable () -> Void = {
      guard let flags = box.withLock({ $0 }) else { return }
      _ = flags.manager.variation(for: inner)
      race.progress.add(1, ordering: .relaxed)
    }
    let memory = InMemoryProvider()
    let flags = try compose(reporter: callback == .reporter ? Reporter(read) : nil) {
      memory
      StubProvider { key, _ throws(FlagError) in
        guard key == "outer" else { return nil }
        if callback == .provider { read() }
        throw FlagError(.general, "")
      }
    }
    box.withLock { $0 = flags }
    let outer = Flag("outer", default: 0, "") { _ in
      if callback == .computed { read() }
      return nil
    }
    let subscription = callback == .subscription ? memory.subscribe { _ in read() } : nil
    _ = flags.manager.variation(for: outer)
    memory.write(1, for: "other")
    subscription?.cancel()
    box.withLock { $0 = nil }
    #expect(race.progress.load(ordering: .relaxed) > 0)
  }

  @Test("A value may read flags when it is let go of")
  func readsAtTheEnd() throws {
    let memory = InMemoryProvider()
    let reads = Locked(0)
    let flags = try compose { memory }
    let inner = Flag("inner", default: 0, "")
    Ending.onEnd.withLock {
      $0 = {
        _ = flags.manager.variation(for: inner)
        reads.withLock { $0 += 1 }
      }
    }
    memory.write(["outer": [:]])
    for number in 1...3 as ClosedRange<Int128> {
      _ = flags.manager.variation(for: Flag("outer", default: Ending?.none, ""))
      memory.write(.int(number), for: "inner")
    }
    Ending.onEnd.withLock { $0 = nil }
    #expect(reads.withLock { $0 } > 0)
  }

  enum Callback: CaseIterable { case reporter, provider, computed, subscription }

  /// A value that calls a closure when it is let go of.
  private final class Ending: Decodable, Sendable {
    static let onEnd = Locked<(@Sendable () -> Void)?>(nil)
    deinit { Self.onEnd.withLock { $0 }?() }
  }

  private struct Reporter: FlagErrorReporter {
    let onReport: @Sendable () -> Void
    init(_ onReport: @escaping @Sendable () -> Void) { self.onReport = onReport }
    func report(_ error: FlagError) { onReport() }
  }
}

@Suite("Lifetimes")
struct LifetimeTests {
  @Test("A manager works when its composition is gone")
  func outlives() throws {
    let flag = Flag("lasting", default: 0, "")
    let provider = InMemoryProvider(["lasting": 1])
    let manager = try compose { provider }.manager
    #expect(manager.variation(for: flag) == 1)
    provider.write(2, for: "lasting")
    #expect(manager.variation(for: flag) == 2)
  }

  @Test("A composition that is let go of keeps no provider and no kept value alive")
  func letsGo() throws {
    weak var provider: InMemoryProvider?
    weak var kept: Token?
    do {
      let token = Token()
      let memory = InMemoryProvider()
      (provider, kept) = (memory, token)
      let flags = try compose { memory }
      _ = flags.manager.variation(for: Flag("token", default: Holder(token: token), ""))
      _ = flags.observedManager.variation(for: Flag("token", default: Holder(token: token), ""))
      memory.write(1, for: "other")
    }
    #expect(provider == nil)
    #expect(kept == nil)
  }

  @Test("Endless change keeps no more than the newest values alive")
  func staysSmall() throws {
    let provider = InMemoryProvider()
    let flags = try compose { provider }
    let flag = Flag("counted", default: Counted(), "")
    let before = Counted.alive.load(ordering: .relaxed)
    for round in 0..<5000 {
      provider.write(.int(Int128(round)), for: flag.key)
      _ = flags.manager.variation(for: flag)
    }
    #expect(Counted.alive.load(ordering: .relaxed) - before <= 1)
  }

  /// A value that counts how many of it there are.
  private final class Counted: Decodable, Sendable {
    static let alive = Atomic(0)
    init() { Self.alive.add(1, ordering: .relaxed) }
    init(from decoder: any Decoder) { Self.alive.add(1, ordering: .relaxed) }
    deinit { Self.alive.subtract(1, ordering: .relaxed) }
  }

  private final class Token: Sendable {}

  private struct Holder: Decodable, Sendable {
    let token: Token
    init(token: Token) { self.token = token }
    init(from decoder: any Decoder) { token = Token() }
  }
}

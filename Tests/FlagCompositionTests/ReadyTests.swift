import FlagComposition
import FlagDomain
import FlagMocks
import FlagProviders
import FlagServices
import FlagTesting
import Testing

@Suite("Waiting for providers", .timeLimit(.minutes(15)))
struct ReadyTests {
  private let clock = ManualClock()

  private func client(_ providers: any FlagProvider...) throws -> FeatureFlagClient {
    try FeatureFlagClient(catalogs: []) { providers }
  }

  @Test("Providers that always have their values are fresh at once")
  func returnsAtOnce() async throws {
    let flags = try client(InMemoryProvider(name: "in-memory", ["a": true]))
    #expect(
      await flags.ready(timeout: .seconds(1), clock: clock) == ["in-memory": ProviderStatus(.fresh, isSettled: true)])
    #expect(clock.sleeping == 0)
  }

  @Test("It returns when the last provider has answered or failed, and says of each what came of it")
  func waitsForAll() async throws {
    let (good, bad) = (StubbornProvider("good"), StubbornProvider("bad"))
    let flags = try client(good, bad, InMemoryProvider(name: "local"))
    async let statuses = flags.ready(timeout: .seconds(5), clock: clock)
    await clock.waitForSleeper(for: .seconds(5))
    good.settle(ProviderStatus(.cached(fetchedAt: 7), isSettled: true))
    bad.settle(ProviderStatus(.defaults, error: FlagError(.general, "down"), isSettled: true))
    #expect(
      await statuses == [
        "good": ProviderStatus(.cached(fetchedAt: 7), isSettled: true),
        "bad": ProviderStatus(.defaults, error: FlagError(.general, "down"), isSettled: true),
        "local": ProviderStatus(.fresh, isSettled: true),
      ])
  }

  @Test("When it returns, reads see the answers of a provider that has notified nobody of them yet")
  func seesAnswers() async throws {
    let provider = LateNotice()
    let flag = Flag("late", default: 0, "")
    let flags = try client(provider)
    #expect(flags.manager.variation(for: flag) == 0)
    provider.answer(7)
    _ = await flags.ready(timeout: .seconds(5), clock: clock)
    #expect(flags.manager.variation(for: flag) == 7)
  }

  @Test("It returns by its time, whatever providers do, and says that there was no answer")
  func returnsByItsTime() async throws {
    let never = StubbornProvider("never")
    let flags = try client(never, StubbornProvider("neither"))
    async let statuses = flags.ready(timeout: .seconds(5), clock: clock)
    await clock.waitForSleeper(for: .seconds(5))
    clock.advance(by: .seconds(5))
    let error = FlagError(.providerNotReady, "timeout: no answer within 5.0 seconds")
    let status = ProviderStatus(.defaults, error: error, isSettled: false)
    #expect(await statuses == ["never": status, "neither": status])
  }

  @Test("It returns when the waiting task is cancelled")
  func heedsCancellation() async throws {
    let flags = try client(StubbornProvider("never"))
    let task = Task { [clock] in await flags.ready(timeout: .seconds(5), clock: clock) }
    await clock.waitForSleeper(for: .seconds(5))
    task.cancel()
    #expect(await task.value["never"]?.state == .error)
  }

  @Test("A service behind a wrapper is waited for, too, and its status followed")
  func seesThroughWrappers() async throws {
    let service = MockLaunchDarkly(["a": true])
    let provider = RemoteProvider(service, clock: clock)
    let flags = try client(provider.excluding([]).readOnly())
    #expect(await flags.ready(timeout: .seconds(600)) == [provider.name: ProviderStatus(.fresh, isSettled: true)])
    for await status in provider.excluding([]).readOnly().statuses() where status.state == .ready { break }
  }

  @Test("A subscriber receives the status at once, and then each change")
  func tellsStatuses() async throws {
    let provider = StubbornProvider("one")
    var statuses = provider.statuses().makeAsyncIterator()
    #expect(await statuses.next()?.state == .notReady)
    provider.settle(ProviderStatus(.fresh, isSettled: true))
    provider.settle(ProviderStatus(.fresh, isSettled: true))
    #expect(await statuses.next()?.state == .ready)
    provider.settle(ProviderStatus(.fresh, error: FlagError(.general, "down"), isSettled: true))
    #expect(await statuses.next()?.state == .stale)
  }
}

/// A provider that is as far as a test says.
private final class StubbornProvider: FlagProvider {
  let name: String
  private let state = Locked(
    (status: ProviderStatus(.defaults, isSettled: false), closures: [Int: @Sendable (ChangedKeys) -> Void]()))

  init(_ name: String) { self.name = name }

  var providerStatus: ProviderStatus { state.withLock { $0.status } }

  func snapshot() -> any ProviderSnapshot { Nothing() }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    let number = state.withLock { state in
      let number = state.closures.count
      state.closures[number] = onChange
      return number
    }
    return FlagSubscription { [weak self] in
      self?.state.withLock { _ = $0.closures.updateValue({ _ in }, forKey: number) }
    }
  }

  func settle(_ status: ProviderStatus) {
    let closures = state.withLock { state in
      state.status = status
      return Array(state.closures.values)
    }
    for closure in closures { closure(.all) }
  }

  private struct Nothing: ProviderSnapshot {
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
  }
}

/// A provider that has an answer before it notifies anyone, as each has for a moment.
private final class LateNotice: FlagProvider {
  let name = "late"
  private let value = Locked<Int128?>(nil)

  var providerStatus: ProviderStatus {
    ProviderStatus(value.withLock { $0 } == nil ? .defaults : .fresh, isSettled: value.withLock { $0 } != nil)
  }

  func answer(_ number: Int128) { value.withLock { $0 = number } }

  func snapshot() -> any ProviderSnapshot { Snapshot(value: value.withLock { $0 }) }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription { FlagSubscription {} }

  private struct Snapshot: ProviderSnapshot {
    let value: Int128?

    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { value.map { FlagAnswer(.int($0)) } }
  }
}

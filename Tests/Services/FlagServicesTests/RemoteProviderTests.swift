import FlagDomain
import FlagMocks
import FlagServices
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("Remote provider")
struct RemoteProviderTests {
  private let clock = ManualClock()
  /// The clock, and the longest of all delays.
  private var environment: FollowerEnvironment { FollowerEnvironment(clock: clock, randomness: { 1 }) }

  @Test("Before the first answers each flag is an error that says so")
  func isNotReady() async throws {
    let provider = RemoteProvider(service(latency: .seconds(1)), clock: clock)
    #expect(provider.providerStatus.state == .notReady)
    #expect(
      throws: FlagError(
        .providerNotReady, "no values for visitors yet: the first request has not returned", key: "on",
        provider: "LaunchDarkly")
    ) {
      try provider.snapshot().answer(for: "on", in: EvaluationContext())
    }
    let waiting = Task { try await provider.waitUntilReady() }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    try await waiting.value
    #expect(provider.providerStatus.state == .ready)
    #expect(provider.snapshot().value(of: "on") == true)
  }

  @Test("Answers for a user are gone when another one is set, and were never given to another")
  func dropsAnswers() async throws {
    let provider = RemoteProvider(service(latency: .seconds(1)), clock: clock)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    try await provider.waitUntilReady()
    let (ann, bob) = (FlagUser(id: "ann"), FlagUser(id: "bob"))
    #expect(provider.snapshot().value(of: "on", for: ann) == nil)
    let visitors = provider.snapshot()
    provider.setUser(ann)
    #expect(provider.snapshot().value(of: "on") == nil)
    #expect(provider.providerStatus.state == .notReady)
    #expect(visitors.value(of: "on") == true)
    #expect(visitors.value(of: "on", for: bob) == nil)
  }

  @Test("A refresh keeps the fetch that runs, and waits for the one after it")
  func refreshesAfterFetch() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    let first = await service.nextRequest()
    let refreshing = Task { try await provider.refresh() }
    await clock.waitForSleepers(2)
    first.answer(with: ["answer": "old"])
    let second = await service.nextRequest()
    #expect(provider.snapshot().value(of: "answer") == "old")
    second.answer(with: ["answer": "new"])
    try await refreshing.value
    #expect(provider.snapshot().value(of: "answer") == "new")
    #expect(service.requests == [nil, nil])
  }

  @Test("Names that look alike are answers of their own, and none of them ends the program")
  func keepsNamesApart() throws {
    let (composed, decomposed): (FlagKey, FlagKey) = ("caf\u{E9}", "cafe\u{301}")
    let answers = RemoteAnswers([composed: FlagAnswer(1), decomposed: FlagAnswer(2)])
    #expect(try answers.answer(for: composed, in: EvaluationContext())?.value == 1)
    #expect(try answers.answer(for: decomposed, in: EvaluationContext())?.value == 2)
    #expect(answers.changes(since: answers) == nil)
  }

  @Test("An update that the service announces while it is subscribed to is not missed")
  func subscribesBeforeFetching() async throws {
    let service = EagerService()
    let provider = RemoteProvider(service, environment: environment)
    try await provider.waitUntilReady()
    #expect(service.calls.withLock { $0 } == ["subscribe", "fetch"])
  }

  @Test("A push invalidates the running fetch, and resumes its waiters")
  func pushOvertakesFetch() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    let first = await service.nextRequest()
    let waiting = Task { try await provider.waitUntilReady() }
    await clock.waitForSleepers(2)
    service.push(.answers(RemoteAnswers(["answer": FlagAnswer("pushed")]), for: nil))
    try await waiting.value
    first.answer(with: ["answer": "old"])
    #expect(provider.snapshot().value(of: "answer") == "pushed")
  }

  @Test("A service that says all the time that it has changed is fetched one time after the other, once an interval")
  func coalescesUpdates() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    for round in 1...5 {
      let request = await service.nextRequest()
      for _ in 0..<100 { service.push(.outdated) }
      #expect(service.requests.count == round)
      request.answer(with: ["round": .int(Int128(round))])
      await clock.waitForSleeper(for: .milliseconds(100))
      clock.advance(by: .milliseconds(100))
    }
    _ = await service.nextRequest()
    #expect(provider.snapshot().value(of: "round") == 5)
  }

  @Test("In an outage a thousand updates are no fetch but the next retry")
  func backsOffInOutage() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    await service.nextRequest().fail(with: .outage)
    await clock.waitForSleeper(for: .seconds(1))
    for _ in 0..<1000 { service.push(.outdated) }
    #expect(service.requests.count == 1)
    clock.advance(by: .seconds(1))
    let (changes, continuation) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { continuation.yield($0) }
    await service.nextRequest().answer(with: ["a": 1])
    for await _ in changes { break }
    #expect(provider.providerStatus.state == .ready)
    #expect(service.requests.count == 2)
    subscription.cancel()
  }

  @Test("Fetches that ignore that they were cancelled do not pile up")
  func boundsFetches() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    var requests = [await service.nextRequest()]
    for number in 1...3 {
      provider.setUser(FlagUser(id: "\(number)"))
      requests.append(await service.nextRequest())
    }
    for number in 4...100 { provider.setUser(FlagUser(id: "\(number)")) }
    #expect(service.requests.count == 4)
    requests[0].answer(with: ["a": "late"])
    let last = await service.nextRequest()
    #expect(last.user?.id == "100")
    last.answer(with: ["a": "right"])
    try await provider.waitUntilReady()
    #expect(provider.snapshot().value(of: "a", for: FlagUser(id: "100")) == "right")
  }

  @Test(
    "No policy traps, however extreme its durations",
    arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min)])
  func survivesExtremePolicies(duration: Duration) async {
    let policy = RemotePolicy(timeout: duration, initialDelay: duration, maximumDelay: duration)
    let service = ScriptedService()
    let provider = RemoteProvider(service, policy: policy)
    await service.nextRequest().fail(with: .outage)
    provider.setUser(FlagUser(id: "1"))
  }

  @Test("Late answers for a user who has left are dropped")
  func dropsAnswersForFormerUser() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    let visitors = await service.nextRequest()
    provider.setUser(FlagUser(id: "ann"))
    let anns = await service.nextRequest()
    visitors.answer(with: ["answer": "visitor's"])
    anns.answer(with: ["answer": "ann's"])
    try await provider.waitUntilReady()
    #expect(provider.snapshot().value(of: "answer", for: FlagUser(id: "ann")) == "ann's")
    #expect(provider.snapshot().value(of: "answer") == nil)
  }

  @Test("A failed refresh keeps the last good answers as stale, and the next success renews them")
  func keepsStaleAnswers() async throws {
    let service = MockLaunchDarkly(["on": true], network: MockNetwork(clock: clock))
    let provider = RemoteProvider(service, environment: environment)
    try await provider.waitUntilReady()
    service.network.failure = .outage
    await #expect(throws: FlagError.outage) { try await provider.refresh() }
    #expect(provider.providerStatus.state == .stale && provider.providerStatus.error == .outage)
    let answer = try provider.snapshot().answer(for: "on", in: EvaluationContext())
    #expect(answer?.value == true && answer?.reason == .stale && answer?.metadata.keys.sorted() == ["fetchedAt"])
    service.network.failure = nil
    try await provider.refresh()
    #expect(try provider.snapshot().answer(for: "on", in: EvaluationContext()) == FlagAnswer(true))
  }

  @Test("A failed fetch is tried again, later each time, until it succeeds")
  func retries() async throws {
    let service = ScriptedService()
    let provider = RemoteProvider(service, environment: environment)
    for delay in [1, 2, 4] {
      await service.nextRequest().fail(with: .outage)
      await clock.waitForSleeper(for: .seconds(delay))
      #expect(provider.providerStatus.state == .error && provider.providerStatus.error == .outage)
      clock.advance(by: .seconds(delay))
    }
    let (changes, continuation) = AsyncStream.makeStream(of: ChangedKeys.self)
    let subscription = provider.subscribe { continuation.yield($0) }
    await service.nextRequest().answer(with: ["answer": 1])
    for await _ in changes { break }
    #expect(provider.providerStatus.state == .ready)
    subscription.cancel()
  }

  @Test("A service that does not answer in time has failed")
  func timesOut() async throws {
    let provider = RemoteProvider(
      service(latency: .seconds(60)), policy: RemotePolicy(timeout: .seconds(5)), clock: clock)
    let waiting = Task { try await provider.waitUntilReady() }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    await #expect(throws: FlagError(.timeout, "timeout: no answer within 5.0 seconds")) { try await waiting.value }
  }

  @Test("A pushed update replaces earlier answers, and reports the keys that differ")
  func takesPushes() async throws {
    let service = MockLaunchDarkly(["on": true, "same": 1])
    let provider = RemoteProvider(service, clock: ManualClock())
    try await provider.waitUntilReady()
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    service.update(["on": false, "new": 2])
    #expect(received.events == [.some(["on", "new"])])
    #expect(provider.snapshot().value(of: "on") == false)
    subscription.cancel()
  }

  @Test("A provider that is let go of leaves no task behind", .timeLimit(.minutes(15)))
  func leavesNothing() async throws {
    let service = service(latency: .seconds(1))
    weak var leaked: RemoteProvider?
    do {
      let provider = RemoteProvider(service, environment: environment)
      leaked = provider
      await clock.waitForSleepers(2)
    }
    #expect(leaked == nil)
    try await waitUntil { [clock] in clock.sleeping == 0 }
  }

  @Test("A service may call back while its fetch is cancelled", .timeLimit(.minutes(15)))
  func callsBackWhenCancelled() async throws {
    let service = TalkativeService()
    let provider = RemoteProvider(service, clock: ManualClock())
    await service.isFetching()
    provider.setUser(FlagUser(id: "1"))
    try await provider.waitUntilReady()
    #expect(try provider.snapshot().answer(for: "a", in: EvaluationContext(user: FlagUser(id: "1")))?.value == "1")
  }

  @Test("A waiting task may be cancelled")
  func cancelsWaiting() async {
    let provider = RemoteProvider(service(latency: .seconds(1)), clock: clock)
    let waiting = Task { try await provider.waitUntilReady() }
    waiting.cancel()
    await #expect(throws: FlagError.self) { try await waiting.value }
  }

  @Test("After a user is set, no thread reads another user's value")
  func isSafeUnderUserChanges() async {
    let service = MockLaunchDarkly { user in ["name": .string(user?.id ?? "visitor")] }
    let provider = RemoteProvider(service, clock: ManualClock())
    await withTaskGroup { group in
      group.addTask { for number in 0..<500 { provider.setUser(FlagUser(id: "\(number)")) } }
      for _ in 0..<3 {
        group.addTask {
          for number in 0..<2000 {
            let user = FlagUser(id: "\(number % 500)")
            let name = provider.snapshot().value(of: "name", for: user)
            #expect(name == nil || name == .string(user.id))
          }
        }
      }
    }
  }

  @Test("A refresh beside a push ends, in every interleaving that comes about", .timeLimit(.minutes(15)))
  func refreshesBesidePushes() async throws {
    let service = MockLaunchDarkly(["n": 0])
    // A clock that is never moved: a wait that no one ends would go on for ever.
    let provider = RemoteProvider(service, environment: environment)
    let tries = Effort.rounds(3_000, long: 1_000_000)
    for number in 0..<tries {
      async let refreshed: Void = provider.refresh()
      service.update(["n": .int(Int128(number))])
      try await refreshed
    }
    #expect(provider.snapshot().value(of: "n") == .int(Int128(tries - 1)))
  }

  @Test("Every waiting task is resumed in the end, whatever happens meanwhile")
  func letsEveryoneGo() async throws {
    let service = MockLaunchDarkly(["n": 0])
    let provider = RemoteProvider(service, clock: ManualClock())
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<200 {
            try await provider.refresh()
            try await provider.waitUntilReady()
          }
        }
      }
      group.addTask { for number in 0..<300 { provider.setUser(FlagUser(id: "\(number % 3)")) } }
      group.addTask { for number in 0..<300 { service.update(["n": .int(Int128(number))]) } }
      try await group.waitForAll()
    }
    try await provider.waitUntilReady()
    #expect(provider.snapshot().value(of: "n", for: FlagUser(id: "2")) == 299)
  }

  private func service(latency: Duration) -> MockLaunchDarkly {
    MockLaunchDarkly(["on": true], network: MockNetwork(latency: latency, clock: clock))
  }
}

/// A service that records the order in which it is called.
private final class EagerService: RemoteFlagService {
  let name = "eager"
  let calls = Locked<[String]>([])

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    calls.withLock { $0.append("fetch") }
    return RemoteAnswers([:])
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    calls.withLock { $0.append("subscribe") }
    return FlagSubscription {}
  }
}

/// A service that never answers visitors, and reports a change when a request is cancelled.
private final class TalkativeService: RemoteFlagService {
  let name = "talkative"
  private let fetches = AsyncStream.makeStream(of: Void.self)
  private let onUpdate = Locked<(@Sendable (RemoteUpdate) -> Void)?>(nil)

  /// Waits for the fetch for visitors.
  func isFetching() async { for await _ in fetches.stream { return } }

  func fetch(for user: FlagUser?) async throws(FlagError) -> RemoteAnswers {
    if let user { return RemoteAnswers(["a": FlagAnswer(.string(user.id))]) }
    await withTaskCancellationHandler {
      fetches.continuation.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
    } onCancel: {
      onUpdate.withLock { $0 }?(.outdated)
    }
    throw FlagError(.general, "cancelled")
  }

  func subscribe(_ onUpdate: @escaping @Sendable (RemoteUpdate) -> Void) -> FlagSubscription {
    self.onUpdate.withLock { $0 = onUpdate }
    return FlagSubscription {}
  }
}

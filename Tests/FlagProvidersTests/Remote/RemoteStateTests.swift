import FlagDomain
import FlagMocks
import TestSupport
import Testing

@testable import FlagProviders

@Suite("Remote state")
struct RemoteStateTests {
  @Test(
    "Whatever happens in whatever order, no wait is forgotten, no fetch is lost, and no user sees another's answers")
  func keepsPromises() {
    var model = Model()
    let steps = Effort.rounds(100_000, thorough: 1_000_000)
    for step in 0..<steps where !model.isBroken {
      model.step()
      if let violation = model.violation { Issue.record("step \(step): \(violation), after \(model.history)") }
    }
    #expect(model.resumed > steps / 100)
  }

  @Test("A wait that begins after a fetch has begun is not ended by that fetch's success")
  func waitsForLaterFetch() {
    var state = RemoteState(provider: "p", policy: RemotePolicy())
    #expect(state.start() == [.fetch(1, for: nil)])
    let (waiter, actions) = state.refresh()
    #expect(actions.isEmpty)
    #expect(state.settle(1, with: .success(answers)) == [.fetch(3, for: nil)])
    #expect(state.release(1) == [])
    #expect(state.settle(3, with: .success(answers)) == [.resume(waiter, nil)])
  }

  @Test("A failure ends every wait, and is tried again later")
  func failureEndsWaits() {
    var state = RemoteState(provider: "p", policy: RemotePolicy(initialDelay: .seconds(3)))
    _ = state.start()
    let (waiter, _) = state.refresh()
    #expect(state.settle(1, with: .failure(.outage)) == [.retry(3, after: .seconds(3)), .resume(waiter, .outage)])
    #expect(state.outdate() == [])
    #expect(state.retry(2) == [])
    #expect(state.retry(3) == [.fetch(4, for: nil)])
  }

  @Test(
    "Retries come later each time, between 10 ms and a year",
    arguments: [
      (.seconds(1), .seconds(60), 1, .seconds(1)), (.seconds(1), .seconds(60), 4, .seconds(8)),
      (.seconds(1), .seconds(60), 10_000_000, .seconds(60)), (.zero, .zero, 9, .milliseconds(10)),
      (.seconds(Int64.max), .seconds(Int64.max), 9, .seconds(365 * 86_400)),
      (.seconds(Int64.min), .seconds(Int64.min), 9, .milliseconds(10)),
    ] as [(Duration, Duration, Int, Duration)])
  func delays(initial: Duration, maximum: Duration, failures: Int, delay: Duration) {
    let policy = RemotePolicy(initialDelay: initial, maximumDelay: maximum)
    #expect(policy.delay(afterFailures: failures) == delay)
  }

  private let answers = RemoteAnswers([:])
}

/// The world around a state: what runs, who waits, and dice that say what happens next.
private struct Model {
  private var state = RemoteState(provider: "p", policy: RemotePolicy())
  private var dice = SeededGenerator(seed: 11)
  /// The fetches that run, for whom, and whether their time is over.
  private var fetches: [Int: FlagUser?] = [:]
  private var expired: Set<Int> = []
  private var retries: Set<Int> = []
  private var waiting: Set<Int> = []
  private var user: FlagUser?
  private(set) var resumed = 0
  private(set) var isBroken = false
  private(set) var history: [String] = []
  private(set) var violation: String?

  private static let users: [FlagUser?] = [nil, FlagUser(id: "1"), FlagUser(id: "2")]

  init() { perform(state.start()) }

  mutating func step() {
    let event = Int(dice.next() % 8)
    history = history.suffix(12) + ["\(event)"]
    switch event {
    case 0:
      user = Self.users[Int(dice.next() % 3)]
      perform(state.setUser(user))
    case 1: perform(state.outdate())
    case 2:
      let user = Self.users[Int(dice.next() % 3)]
      perform(state.push(answers(for: user), for: user))
    case 3:
      let (waiter, actions) = state.refresh()
      waiting.insert(waiter)
      perform(actions)
    case 4: if let waiter = state.join() { waiting.insert(waiter) }
    case 5: if let retry = pick(retries.sorted()) { wake(retry) }
    case 6: if let number = pick(fetches.keys.sorted()) { expire(number) }
    default: if let number = pick(fetches.keys.sorted()) { end(number) }
    }
    check()
  }

  private mutating func wake(_ retry: Int) {
    retries.remove(retry)
    perform(state.retry(retry))
  }

  /// A fetch that takes too long fails, and runs on.
  private mutating func expire(_ number: Int) {
    if expired.insert(number).inserted { perform(state.settle(number, with: .failure(.outage))) }
  }

  private mutating func end(_ number: Int) {
    guard let user = fetches.removeValue(forKey: number) else { return }
    let outcome: Result<RemoteAnswers, FlagError> =
      dice.next() % 3 == 0 ? .failure(.outage) : .success(answers(for: user))
    // The task that fetched and the one that waited for it may come in either order.
    if dice.next() % 2 == 0 { perform(state.release(number)) }
    if expired.remove(number) == nil { perform(state.settle(number, with: outcome)) }
    perform(state.release(number))
  }

  private func answers(for user: FlagUser?) -> RemoteAnswers {
    RemoteAnswers(["user": FlagAnswer(.string(user?.id ?? "visitor"))])
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[Int(dice.next() % UInt64(elements.count))]
  }

  private mutating func perform(_ actions: [RemoteState.Action]) {
    for action in actions {
      switch action {
      case .fetch(let number, for: let user): fetches[number] = .some(user)
      case .cancelFetch: break  // services may ignore it
      case .retry(let number, _): retries.insert(number)
      case .cancelRetry(let number): retries.remove(number)
      case .resume(let waiter, _):
        resumed += 1
        if waiting.remove(waiter) == nil { violation = "\(waiter) was told twice" }
      }
    }
  }

  private mutating func check() {
    let isStuck = state.fetch == nil && state.running.isEmpty
    if fetches.count > RemoteState.maximumFetches { violation = "\(fetches.count) fetches run" }
    if Set(state.waiters.keys) != waiting { violation = "waiters \(state.waiters) are not \(waiting)" }
    if !waiting.isEmpty, isStuck { violation = "\(waiting) wait for nothing" }
    if state.isFetchWanted, isStuck { violation = "a fetch is wanted, and none will begin" }
    if state.retry != nil, state.fetch != nil { violation = "a retry beside a fetch" }
    if state.snapshot.status == .waiting, isStuck { violation = "waits for nothing" }
    if let fetch = state.fetch, fetches[fetch] != .some(user) { violation = "a fetch for \(fetches[fetch] as Any)" }
    if let retry = state.retry, !retries.contains(retry) { violation = "a retry that no one waits for" }
    let owner = state.snapshot.answers?.listed?["user"]?.value
    if let owner, owner != .string(user?.id ?? "visitor") { violation = "\(owner)'s answers" }
    isBroken = violation != nil
  }
}

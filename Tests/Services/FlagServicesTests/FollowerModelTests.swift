import FlagDomain
import FlagMocks
@testable import FlagServices
import TestSupport
import Testing

@testable import FlagProviders

@Suite("Follower of a service that pushes, and ignores cancellation", .computing)
struct FollowerModelTests {
  @Test(
    "Whatever happens in whatever order, no wait is forgotten, no fetch is lost, and no user sees another's answers")
  func keepsPromises() {
    var model = Model()
    let steps = Effort.rounds(100_000, thorough: 300_000, long: 1_000_000)
    for step in 0..<steps where !model.isBroken {
      model.step()
      if let violation = model.violation { Issue.record("step \(step): \(violation), after \(model.history)") }
    }
    #expect(model.resumed > steps / 100)
  }

  @Test("A wait that begins after a fetch has begun is not ended by that fetch's success")
  func waitsForLaterFetch() throws {
    var state = Follower.plain()
    #expect(state.start(tag: nil, at: .zero) == [.fetch(1)])
    let (waiter, actions) = try state.refresh(at: .zero).get()
    #expect(actions.isEmpty)
    #expect(state.settle(1, with: .success(FetchAnswer()), at: .zero) == [.fetch(3)])
    #expect(state.release(1, at: .zero) == [])
    #expect(state.settle(3, with: .success(FetchAnswer()), at: .zero) == [.resume(waiter, nil)])
  }

  @Test("A failure ends every wait, and is tried again later")
  func failureEndsWaits() throws {
    var state = Follower.plain(RemotePolicy(initialDelay: .seconds(3)))
    _ = state.start(tag: nil, at: .zero)
    let (waiter, _) = try state.refresh(at: .zero).get()
    let actions = state.settle(1, with: .failure(FetchFailure(error: .outage)), at: .zero)
    #expect(actions == [.wake(3, after: .seconds(3)), .resume(waiter, .outage)])
    #expect(state.outdate(hint: nil, at: .zero) == [])
    #expect(state.wakeUp(2, at: .zero) == [])
    #expect(state.wakeUp(3, at: .zero) == [.fetch(4)])
  }

  @Test(
    "Retries come later each time, between 10 ms and a year, with the greatest chance",
    arguments: [
      (.seconds(1), .seconds(60), 1, .seconds(1)), (.seconds(1), .seconds(60), 4, .seconds(8)),
      (.seconds(1), .seconds(60), 10_000_000, .seconds(60)), (.zero, .zero, 9, .milliseconds(10)),
      (.seconds(Int64.max), .seconds(Int64.max), 9, .seconds(365 * 86_400)),
      (.seconds(Int64.min), .seconds(Int64.min), 9, .milliseconds(10)),
    ] as [(Duration, Duration, Int, Duration)])
  func delays(initial: Duration, maximum: Duration, failures: Int, delay: Duration) {
    let policy = RemotePolicy(initialDelay: initial, maximumDelay: maximum)
    let schedule = policy.options.schedule
    let difference = schedule.delay(after: .other, failures: failures, randomness: 1) - delay
    #expect(abs(difference / .milliseconds(1)) < 1)
  }
}

extension Follower {
  fileprivate static func plain(_ policy: RemotePolicy = RemotePolicy()) -> Self {
    Self(policy.options.schedule, for: EvaluationContext()) { 1 }
  }
}

extension Follower.Action {
  /// A fetch for visitors.
  fileprivate static func fetch(_ number: Int) -> Self {
    .fetch(Follower.Fetch(number: number, context: EvaluationContext(), tag: nil, hint: nil))
  }
}

/// The world around a state: what runs, who waits, and dice that say what happens next.
private struct Model {
  private var state = Follower.plain()
  private var served = Served<RemoteAnswers>()
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

  init() { perform(state.start(tag: nil, at: .zero)) }

  mutating func step() {
    let event = Int(dice.next() % 8)
    history = history.suffix(12) + ["\(event)"]
    switch event {
    case 0:
      user = Self.users[Int(dice.next() % 3)]
      let isOther = user != state.context.user
      perform(state.setContext(EvaluationContext(user: user), tag: nil, at: .zero))
      if isOther { served.begin(with: .success(nil)) }
    case 1: perform(state.outdate(hint: nil, at: .zero))
    case 2:
      let user = Self.users[Int(dice.next() % 3)]
      if user == state.context.user {
        served.accept(version(for: user))
        perform(state.push(at: .zero).actions)
      }
    case 3:
      if case .success((let waiter, let actions)) = state.refresh(at: .zero) {
        waiting.insert(waiter)
        perform(actions)
      }
    case 4: if served.status.state == .notReady, let waiter = state.join() { waiting.insert(waiter) }
    case 5: if let retry = pick(retries.sorted()) { wake(retry) }
    case 6: if let number = pick(fetches.keys.sorted()) { expire(number) }
    default: if let number = pick(fetches.keys.sorted()) { end(number) }
    }
    check()
  }

  private mutating func wake(_ retry: Int) {
    retries.remove(retry)
    perform(state.wakeUp(retry, at: .zero))
  }

  /// A fetch that takes too long fails, and runs on.
  private mutating func expire(_ number: Int) {
    if expired.insert(number).inserted { settle(number, for: nil) }
  }

  private mutating func end(_ number: Int) {
    guard let user = fetches.removeValue(forKey: number) else { return }
    let isAnswered = dice.next() % 3 != 0
    // The task that fetched and the one that waited for it may come in either order.
    if dice.next() % 2 == 0 { perform(state.release(number, at: .zero)) }
    if expired.remove(number) == nil { settle(number, for: isAnswered ? .some(user) : nil) }
    perform(state.release(number, at: .zero))
  }

  /// Ends a fetch with answers for a user, or with a failure.
  private mutating func settle(_ number: Int, for user: FlagUser??) {
    let outcome: Result<FetchAnswer, FetchFailure> =
      user == nil ? .failure(FetchFailure(error: .outage)) : .success(FetchAnswer())
    guard let actions = state.settle(number, with: outcome, at: .zero) else { return }
    if let user { served.accept(version(for: user)) } else { served.fail(.outage) }
    perform(actions)
  }

  private func version(for user: FlagUser?) -> Served<RemoteAnswers>.Version {
    Served.Version(content: RemoteAnswers(["user": FlagAnswer(.string(user?.id ?? "visitor"))]), origin: .source)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[Int(dice.next() % UInt64(elements.count))]
  }

  private mutating func perform(_ actions: [Follower.Action]) {
    for action in actions {
      switch action {
      case .fetch(let fetch): fetches[fetch.number] = .some(fetch.context.user)
      case .cancelFetch: break  // services may ignore it
      case .wake(let number, _): retries.insert(number)
      case .cancelWake(let number): retries.remove(number)
      case .openStream, .closeStream: violation = "there are no streams"
      case .resume(let waiter, _):
        resumed += 1
        if waiting.remove(waiter) == nil { violation = "\(waiter) was told twice" }
      }
    }
  }

  private mutating func check() {
    let isStuck = state.fetch == nil && state.running.isEmpty
    if fetches.count > Follower.maximumRequests { violation = "\(fetches.count) fetches run" }
    if Set(state.waiters.keys) != waiting { violation = "waiters \(state.waiters) are not \(waiting)" }
    if !waiting.isEmpty, isStuck { violation = "\(waiting) wait for nothing" }
    if state.isFetchWanted, isStuck { violation = "a fetch is wanted, and none will begin" }
    if state.wake != nil, state.fetch != nil { violation = "a retry beside a fetch" }
    if served.status.state == .notReady, isStuck { violation = "waits for nothing" }
    if let fetch = state.fetch, fetches[fetch] != .some(user) { violation = "a fetch for \(fetches[fetch] as Any)" }
    if let retry = state.wake, !retries.contains(retry) { violation = "a retry that no one waits for" }
    let owner = served.current?.content.listed?["user"]?.value
    if let owner, owner != .string(user?.id ?? "visitor") { violation = "\(owner)'s answers" }
    isBroken = violation != nil
  }
}

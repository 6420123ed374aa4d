import FlagDomain

/// The decisions of a remote provider, without tasks: events go in, actions come out.
///
/// At most one fetch is current, and it is for the current user. If the service announces an update while it runs, one
/// more fetch follows it. The answers of a fetch that is no longer current are dropped.
///
/// A service may ignore the cancellation of its fetch. Such fetches are counted until they end, and no further one is
/// started while ``maximumFetches`` run.
struct RemoteState: Sendable {
  /// An action to perform outside the lock.
  enum Action: Hashable, Sendable {
    case fetch(Int, for: FlagUser?)
    case cancelFetch(Int)
    case retry(Int, after: Duration)
    case cancelRetry(Int)
    /// Resumes the waiter with this number, with the error if there is one.
    case resume(Int, FlagError?)
  }

  /// The maximum number of fetches that run at once, including cancelled ones that have not ended.
  static let maximumFetches = 4

  private(set) var snapshot: RemoteSnapshot
  private let policy: RemotePolicy
  /// The last number given to a fetch, a retry or a waiter.
  private var lastNumber = 0
  /// The current fetch.
  private(set) var fetch: Int?
  /// The fetches that have started and not ended.
  private(set) var running: Set<Int> = []
  /// The pending retry.
  private(set) var retry: Int?
  /// Whether another fetch is to follow those that are running.
  private(set) var isFetchWanted = false
  /// The number of consecutive failures.
  private var failures = 0
  /// The waiters, and the fetch that each waits for, or a later one.
  private(set) var waiters: [Int: Int] = [:]

  init(provider: String, policy: RemotePolicy) {
    snapshot = RemoteSnapshot(provider: provider)
    self.policy = policy
  }
}

extension RemoteState {
  /// Starts with a fetch for visitors.
  mutating func start() -> [Action] { begin() }

  /// Sets the current user, and abandons the fetch for another.
  mutating func setUser(_ user: FlagUser?) -> [Action] {
    guard snapshot.setUser(user) else { return [] }
    failures = 0
    return abandon() + begin()
  }

  /// Handles an announced update.
  ///
  /// A pending retry will fetch it, so that pushes do not make an outage worse.
  mutating func outdate() -> [Action] { retry == nil ? want() : [] }

  /// Accepts pushed answers, unless they are for another user; they are newer than any fetch.
  mutating func push(_ answers: RemoteAnswers, for user: FlagUser?) -> [Action] {
    guard user == snapshot.user else { return [] }
    snapshot.accept(.success(answers))
    failures = 0
    isFetchWanted = false
    return abandon() + resumeAll(with: nil)
  }

  /// Accepts the outcome of a fetch, if it is current; after a timeout the fetch may still be running.
  mutating func settle(_ number: Int, with outcome: Result<RemoteAnswers, FlagError>) -> [Action] {
    guard number == fetch else { return [] }
    fetch = nil
    snapshot.accept(outcome)
    switch outcome {
    case .success:
      failures = 0
      return resume(upTo: number) + (isFetchWanted ? begin() : [])
    case .failure(let error):
      failures += 1
      isFetchWanted = false
      retry = nextNumber()
      return [.retry(lastNumber, after: policy.delay(afterFailures: failures))] + resumeAll(with: error)
    }
  }

  /// Records that a fetch has ended.
  mutating func release(_ number: Int) -> [Action] {
    running.remove(number)
    return isFetchWanted && fetch == nil ? begin() : []
  }

  /// Starts the fetch of a retry, unless that was cancelled.
  mutating func retry(_ number: Int) -> [Action] {
    guard number == retry else { return [] }
    retry = nil
    return begin()
  }
}

extension RemoteState {
  /// Requests a fetch that starts after this call, and adds a waiter for its end.
  mutating func refresh() -> (waiter: Int, actions: [Action]) {
    let waiter = nextNumber()
    waiters[waiter] = waiter  // every later fetch has a greater number
    return (waiter, want())
  }

  /// Adds a waiter for answers for the current user; nil if there is nothing to wait for.
  mutating func join() -> Int? {
    guard snapshot.status == .waiting else { return nil }
    let waiter = nextNumber()
    waiters[waiter] = 0
    return waiter
  }

  /// Removes a waiter.
  mutating func leave(_ waiter: Int) { waiters[waiter] = nil }
}

extension RemoteState {
  private mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Starts a fetch, or has one follow the current one.
  private mutating func want() -> [Action] {
    guard fetch == nil else {
      isFetchWanted = true
      return []
    }
    return begin()
  }

  /// Starts a fetch, or postpones it if too many are running.
  private mutating func begin() -> [Action] {
    let cancelled = callRetryOff()
    guard running.count < Self.maximumFetches else {
      isFetchWanted = true
      return cancelled
    }
    isFetchWanted = false
    let number = nextNumber()
    fetch = number
    running.insert(number)
    return cancelled + [.fetch(number, for: snapshot.user)]
  }

  /// Abandons the current fetch and the pending retry.
  private mutating func abandon() -> [Action] {
    let actions = fetch.map { [Action.cancelFetch($0)] } ?? []
    fetch = nil
    return actions + callRetryOff()
  }

  private mutating func callRetryOff() -> [Action] {
    defer { retry = nil }
    return retry.map { [.cancelRetry($0)] } ?? []
  }

  private mutating func resume(upTo number: Int) -> [Action] {
    let done = waiters.filter { $0.value <= number }.keys.sorted()
    for waiter in done { waiters[waiter] = nil }
    return done.map { .resume($0, nil) }
  }

  private mutating func resumeAll(with error: FlagError?) -> [Action] {
    defer { waiters = [:] }
    return waiters.keys.sorted().map { .resume($0, error) }
  }
}

extension RemoteState: DiffableContent {
  func changes(since old: RemoteState) -> ChangedKeys? { snapshot.changes(since: old.snapshot) }
}

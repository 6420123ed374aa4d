import FlagDomain

/// The decisions of a client of a service, without tasks: what happened goes in, what is to be done comes out.
///
/// - At most one request counts, and it is for the current context. What is wanted meanwhile follows it as one.
/// - The tag of an answer is sent with the next request for the same context, and forgotten with the context.
/// - Streams are opened after a good answer. While all of them are open, nothing is asked for without a reason; when
///   one ends, all do, and the next request comes at the latest when they may be opened again.
/// - After a failure exactly one request is planned. No failure is the last word, and none is answered at once.
///
/// Times are counted from when the client was made.
struct SyncState: Sendable {
  /// What is to be done outside of the lock.
  enum Action: Hashable, Sendable {
    case fetch(Fetch)
    case cancelFetch(Int)
    case wake(Int, after: Duration)
    case cancelWake(Int)
    case openStream(Int, EventSource)
    case closeStream(Int)
    /// Tells whoever waits under this number that the wait is over, and what went wrong.
    case resume(Int, FlagError?)
  }

  let schedule: SyncSchedule
  let randomness: @Sendable () -> Double
  /// For whom the service is asked.
  private(set) var context: EvaluationContext
  /// The tag of the newest answer for the context.
  private(set) var tag: String?
  /// The request that counts.
  private(set) var fetch: Int?
  /// The wait for the next request.
  private(set) var wake: Int?
  /// The streams that are open or being opened, and whether each is open.
  var streams: [Int: Bool] = [:]

  var lastNumber = 0
  /// Whether another request is to follow the one that counts, and what the service said of it.
  var isFetchWanted = false
  var hint: ChangeHint?
  /// Whether the next request leaves out the tag.
  var isUnconditional = false
  /// How many requests failed in a row.
  var failures = 0
  /// Until when the service wants to be left alone.
  var heldUntil = Duration.zero
  /// Where streams are, in the order of the service; those that expire are used up by opening them.
  var sources: [EventSource] = []
  var areSourcesUsed = false
  var streamsNotBefore = Duration.zero
  var streamsOpenedAt: Duration?
  var streamFailures = 0
  /// Who waits, and for the end of which request or a later one.
  private(set) var waiters: [Int: Int] = [:]

  init(_ schedule: SyncSchedule, for context: EvaluationContext, randomness: @escaping @Sendable () -> Double) {
    self.schedule = schedule
    self.context = context
    self.randomness = randomness
  }
}

// MARK: What is asked for

extension SyncState {
  /// A request for all that a service says for a context.
  struct Fetch: Hashable, Sendable {
    let number: Int
    let context: EvaluationContext
    let tag: String?
    let hint: ChangeHint?
  }

  /// Begins; the tag is that of an answer that was kept.
  mutating func start(tag: String?, at now: Duration) -> [Action] {
    self.tag = tag
    return begin(at: now)
  }

  /// Makes a context the current one: what was asked for another does not count, and no tag of it is sent.
  ///
  /// It is asked for at once, even where a failure or the service's word has put off the next request: there is nothing
  /// to be served for it.
  mutating func setContext(_ context: EvaluationContext, tag: String?, at now: Duration) -> [Action] {
    guard context != self.context else { return [] }
    self.context = context
    self.tag = tag
    failures = 0
    isUnconditional = false
    hint = nil
    sources = schedule.sourcesExpire ? [] : sources
    let cancelled = fetch.map { [Action.cancelFetch($0)] } ?? []
    fetch = nil
    return cancelled + (schedule.sourcesExpire ? closeStreams() : []) + begin(at: now)
  }

  /// Makes a context the current one that is the same to the service: what was asked for counts for it.
  mutating func adopt(_ context: EvaluationContext) { self.context = context }

  /// Takes note that the app has come to the foreground: asks now, unless the service wants to be left alone.
  mutating func becomeActive(at now: Duration) -> [Action] {
    guard now >= heldUntil else { return [] }
    streamsNotBefore = now
    return want(at: now)
  }

  /// Asks for everything anew, whatever the tag, and joins those who wait for that.
  mutating func refresh(at now: Duration) -> Result<(waiter: Int, actions: [Action]), FlagError> {
    guard now >= heldUntil else {
      let seconds = (heldUntil - now).components.seconds + 1
      return .failure(FlagError(.general, "the service wants to be left alone for \(seconds) s"))
    }
    let waiter = nextNumber()
    waiters[waiter] = waiter  // every request that begins from now on has a greater number
    isUnconditional = true
    return .success((waiter, want(at: now)))
  }

  /// Joins those who wait for the end of the request that counts; nil where there is none.
  mutating func join() -> Int? {
    guard fetch != nil else { return nil }
    let waiter = nextNumber()
    waiters[waiter] = 0
    return waiter
  }

  /// Takes note that someone does not wait any more.
  mutating func leave(_ waiter: Int) { waiters[waiter] = nil }

  /// Begins the request that a wait was for, unless that was called off.
  mutating func wakeUp(_ number: Int, at now: Duration) -> [Action] {
    guard number == wake else { return [] }
    wake = nil
    return begin(at: now)
  }
}

// MARK: What comes back

extension SyncState {
  /// Takes note of an answer, if it is that of the request that counts.
  ///
  /// - Returns: What is to be done; nil where the answer does not count and is to be dropped.
  mutating func settle(
    _ number: Int, with outcome: Result<FetchAnswer, FetchFailure>, at now: Duration
  ) -> [Action]? {
    guard number == fetch else { return nil }
    fetch = nil
    switch outcome {
    case .success(let answer):
      failures = 0
      heldUntil = .zero
      if !answer.isUnchanged {
        tag = answer.tag
        sources = answer.sources
        areSourcesUsed = false
      }
      let resumed = resume(upTo: number)
      if isFetchWanted { return resumed + begin(at: now) }
      return resumed + (sources.isEmpty ? closeStreams() : []) + plan(at: now)
    case .failure(let failure):
      failures += 1
      isFetchWanted = false
      let delay = schedule.delay(after: failure.kind, failures: failures, randomness: randomness())
      if case .busy(let time?) = failure.kind, time > .zero { heldUntil = now + delay }
      return wake(after: delay) + resumeAll(with: failure.error)
    }
  }

  /// Plans what comes after a good answer: streams, or the next request.
  mutating func plan(at now: Duration) -> [Action] {
    let isStreaming = schedule.isStreaming && !sources.isEmpty
    guard streams.isEmpty else { return callWakeOff() }
    if isStreaming, !areSourcesUsed, now >= streamsNotBefore { return callWakeOff() + openStreams() }
    let reopening = isStreaming ? max(streamsNotBefore - now, .milliseconds(100)) : nil
    let delays = [schedule.pollingDelay(randomness: randomness()), reopening]
    return delays.compactMap { $0 }.min().map { wake(after: $0) } ?? callWakeOff()
  }
}

// MARK: Requests and waits

extension SyncState {
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Begins a request, or has one follow that which counts.
  mutating func want(at now: Duration) -> [Action] {
    guard fetch == nil else {
      isFetchWanted = true
      return []
    }
    return begin(at: now)
  }

  mutating func begin(at now: Duration) -> [Action] {
    let cancelled = callWakeOff()
    // An answer that nothing has changed would not say where the streams are now.
    let needsSources = areSourcesUsed && streams.isEmpty && now >= streamsNotBefore
    let request = Fetch(
      number: nextNumber(), context: context, tag: isUnconditional || needsSources ? nil : tag, hint: hint)
    fetch = request.number
    isFetchWanted = false
    isUnconditional = false
    hint = nil
    return cancelled + [.fetch(request)]
  }

  mutating func wake(after delay: Duration) -> [Action] {
    let cancelled = callWakeOff()
    let number = nextNumber()
    wake = number
    return cancelled + [.wake(number, after: delay)]
  }

  mutating func callWakeOff() -> [Action] {
    defer { wake = nil }
    return wake.map { [.cancelWake($0)] } ?? []
  }

  mutating func resume(upTo number: Int) -> [Action] {
    let done = waiters.filter { $0.value <= number }.keys.sorted()
    for waiter in done { waiters[waiter] = nil }
    return done.map { .resume($0, nil) }
  }

  mutating func resumeAll(with error: FlagError) -> [Action] {
    defer { waiters = [:] }
    return waiters.keys.sorted().map { .resume($0, error) }
  }
}

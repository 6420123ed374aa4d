package import FlagDomain

/// The decisions of a client that follows a source, without tasks: events go in, actions come out.
///
/// - At most one request is current, and it is for the current user. If more is needed meanwhile, or the attributes
///   change, one more request follows it, for the newest context. The answers of a request that is no longer current
///   are dropped.
/// - Changes that the source announces are requested at most once per ``FollowerSchedule/minimumInterval``.
/// - The tag of an answer is sent with the next request for the same context, and discarded with the context.
/// - Streams are opened after a good answer. While all of them are open, requests are sent only for a reason; when one
///   ends, all do, and the next request is sent at the latest when they may be opened again. Changes of attributes
///   leave them open, unless the answer names others.
/// - A stream that the source declines is opened again for another user, or when the app comes to the foreground.
/// - After a failure exactly one request is scheduled. Retries never stop, and are never immediate.
/// - While the app is in the background, streams are closed and nothing is scheduled: requests are sent only for
///   another context or an explicit refresh, once each.
/// - A source may ignore the cancellation of its requests. They are counted until they end, and no further one is
///   started while ``maximumRequests`` run.
///
/// Times are relative to the creation of the client.
package struct Follower: Sendable {
  /// A request for all answers for a context.
  package struct Fetch: Hashable, Sendable {
    package let number: Int
    package let context: EvaluationContext
    package let tag: String?
    package let hint: ChangeHint?
  }

  /// An action to perform outside the lock.
  package enum Action: Hashable, Sendable {
    case fetch(Fetch)
    case cancelFetch(Int)
    case wake(Int, after: Duration)
    case cancelWake(Int)
    case openStream(Int, EventSource)
    case closeStream(Int)
    /// The number of a waiter to resume, with the error if there is one.
    case resume(Int, FlagError?)
  }

  /// The maximum number of requests that run at once, including cancelled ones that have not ended.
  package static var maximumRequests: Int { 4 }

  let schedule: FollowerSchedule
  let randomness: @Sendable () -> Double
  package private(set) var context: EvaluationContext
  /// The tag of the newest answer for the context.
  package private(set) var tag: String?
  package private(set) var fetch: Int?
  /// Whether the current request is for earlier attributes of the same user.
  package private(set) var isFetchOutdated = false
  /// The requests that have started and not ended.
  package private(set) var running: Set<Int> = []
  /// The scheduled wake for the next request.
  package private(set) var wake: Int?
  /// The streams that are open or being opened, and whether each is open.
  package internal(set) var streams: [Int: Bool] = [:]

  private var lastNumber = 0
  /// Whether another request must follow the running ones.
  package private(set) var isFetchWanted = false
  /// Whether the source has announced a change since the current request started.
  private var isChangeAnnounced = false
  private var lastFetchAt: Duration?
  /// The source's hint about the change that caused the next request.
  var hint: ChangeHint?
  /// Whether the next request omits the tag.
  var isUnconditional = false
  private(set) var failures = 0
  /// Whether a request has ever succeeded.
  private(set) var hasAnswered = false
  /// The time before which the source wants no requests.
  private var heldUntil = Duration.zero
  /// The streams that are known beforehand, or those of the newest answer; those that expire are used up by opening
  /// them.
  private var sources: [EventSource]
  /// Whether only a whole answer brings addresses to open: none has come yet, or those that came are used up.
  var areSourcesUsed: Bool
  /// The streams that were opened last.
  var openedSources: [EventSource] = []
  /// Whether the open streams are those of earlier attributes.
  private var areStreamsEarlier = false
  /// The time before which no stream is opened; nil if the source declines them.
  var streamsNotBefore: Duration? = .zero
  var streamsOpenedAt: Duration?
  var streamFailures = 0
  /// The reason why the last streams could not be opened; nil once all have opened.
  var streamError: FlagError?
  /// The state of the app; nil while it is in the foreground.
  var background: Background?
  /// The waiters, each with the request that it waits for; a later one counts, too.
  package private(set) var waiters: [Int: Int] = [:]

  package init(
    _ schedule: FollowerSchedule, for context: EvaluationContext, sources: [EventSource] = [],
    randomness: @escaping @Sendable () -> Double
  ) {
    self.schedule = schedule
    self.context = context
    self.sources = sources
    areSourcesUsed = schedule.sourcesExpire
    self.randomness = randomness
  }

  // MARK: Demands

  /// Starts with a request; the tag is that of a cached answer.
  package mutating func start(tag: String?, at now: Duration) -> [Action] {
    self.tag = tag
    return begin(at: now)
  }

  /// Makes a context the current one.
  ///
  /// For another user, the request for the old one is abandoned, and the next one is sent at once, even if a failure or
  /// the source has delayed it, since there is nothing to serve. For the same user, a request that is under way ends
  /// first, and a retry is not sent earlier, so that frequent changes neither starve requests nor multiply them.
  package mutating func setContext(
    _ context: EvaluationContext, isSameUser: Bool = false, tag: String?, at now: Duration
  ) -> [Action] {
    guard context != self.context else { return [] }
    self.context = context
    self.tag = tag
    isUnconditional = false
    hint = nil
    if schedule.sourcesExpire, !isSameUser || streams.isEmpty { (sources, areSourcesUsed) = ([], true) }
    if isSameUser {
      areStreamsEarlier = schedule.sourcesExpire
      isFetchOutdated = fetch != nil
      return isRetryPending ? [] : want(at: now)
    }
    failures = 0
    streamsNotBefore = streamsNotBefore ?? now
    let closed = schedule.sourcesExpire ? closeStreams() : []
    return cancelFetch() + closed + begin(at: now)
  }

  /// Makes a context the current one that is equal for the source, so that current answers and requests apply to it.
  package mutating func adopt(_ context: EvaluationContext) { self.context = context }

  /// Sets the tag of the answer that was cached for the context.
  mutating func restore(tag: String?) { self.tag = tag }

  /// Returns a request that has not been sent yet with the tag of the newest answer.
  func tagged(_ fetch: Fetch, at now: Duration) -> Fetch {
    let tag = fetch.number != self.fetch || needsSources(at: now) ? fetch.tag : tag
    return Fetch(number: fetch.number, context: fetch.context, tag: tag, hint: fetch.hint)
  }

  /// Closes the streams and schedules nothing more, since the app has gone to the background.
  package mutating func enterBackground() -> [Action] {
    guard background == nil else { return [] }
    background = Background(updates: updates)
    isChangeAnnounced = false
    areSourcesUsed = schedule.sourcesExpire
    return closeStreams() + cancelWake()
  }

  /// Sends a request now, since the app has come to the foreground; if the source wants none yet, as soon as it does.
  package mutating func becomeActive(at now: Duration) -> [Action] {
    let wasInBackground = background != nil
    background = nil
    guard now >= heldUntil else {
      return wasInBackground && fetch == nil ? wake(after: schedule.spread(heldUntil - now, randomness())) : []
    }
    streamsNotBefore = now
    return want(at: now)
  }

  /// Requests everything again, regardless of the tag, and adds a waiter for the end of the request.
  package mutating func refresh(at now: Duration) -> Result<(waiter: Int, actions: [Action]), FlagError> {
    guard now >= heldUntil else {
      let seconds = (heldUntil - now).components.seconds + 1
      return .failure(FlagError(.general, "rate limited for \(seconds) s"))
    }
    let waiter = nextNumber()
    waiters[waiter] = waiter  // every later request has a greater number
    isUnconditional = true
    return .success((waiter, want(at: now)))
  }

  /// Adds a waiter for the end of the current request; nil if no request is current.
  package mutating func join() -> Int? {
    guard fetch != nil || isFetchWanted else { return nil }
    let waiter = nextNumber()
    waiters[waiter] = 0
    return waiter
  }

  package mutating func leave(_ waiter: Int) { waiters[waiter] = nil }

  /// Starts the request that a wake was scheduled for, unless the wake was cancelled.
  package mutating func wakeUp(_ number: Int, at now: Duration) -> [Action] {
    guard number == wake else { return [] }
    wake = nil
    return begin(at: now)
  }

  // MARK: Answers

  /// Accepts the outcome of a request, if it is current; after a timeout the request may still be running.
  ///
  /// - Returns: The actions; nil if the answer is to be dropped.
  package mutating func settle(
    _ number: Int, with outcome: Result<FetchAnswer, FetchFailure>, at now: Duration
  ) -> [Action]? {
    guard number == fetch else { return nil }
    let isOutdated = isFetchOutdated
    (fetch, isFetchOutdated) = (nil, false)
    switch outcome {
    case .success(let answer):
      succeed()
      let resumed = (isOutdated ? [] : take(answer)) + resume(upTo: number)
      if isFetchWanted { return resumed + begin(at: now) }
      if isChangeAnnounced { return resumed + beginWhenDue(at: now) }
      return resumed + (sources.isEmpty ? closeStreams() : []) + plan(at: now)
    case .failure(let failure):
      failures += 1
      (isFetchWanted, isChangeAnnounced) = (false, false)
      let delay = schedule.delay(after: failure.kind, failures: failures, randomness: randomness())
      // A delay that is cut short is not one to insist on: an explicit refresh is sent.
      if case .busy(let time?) = failure.kind, time > .zero {
        heldUntil = time <= schedule.longestDelay ? now + time : .zero
      }
      return (background == nil ? wake(after: delay) : []) + resumeAll(with: failure.error)
    }
  }

  /// Takes the tag and the streams of an answer, and closes open ones that are not those of the context.
  private mutating func take(_ answer: FetchAnswer) -> [Action] {
    guard !answer.isUnchanged else {
      // An answer of an earlier run was cached, which does not say where changes are announced.
      if sources.isEmpty, !answer.sources.isEmpty { (sources, areSourcesUsed) = (answer.sources, false) }
      return []
    }
    (tag, sources, areSourcesUsed) = (answer.tag, answer.sources, false)
    defer { areStreamsEarlier = false }
    return areStreamsEarlier && sources != openedSources ? closeStreams() : []
  }

  /// Accepts pushed answers, which are newer than those of any request, and numbers them among the requests.
  package mutating func push(at now: Duration) -> (number: Int, actions: [Action]) {
    succeed()
    tag = nil
    (isFetchWanted, isChangeAnnounced) = (false, false)
    return (nextNumber(), cancelFetch() + resumeAll(with: nil) + plan(at: now))
  }

  /// Records that a request has ended.
  package mutating func release(_ number: Int, at now: Duration) -> [Action] {
    running.remove(number)
    return isFetchWanted && fetch == nil ? begin(at: now) : []
  }

  /// Schedules the streams or the next request after a good answer.
  private mutating func plan(at now: Duration) -> [Action] {
    guard background == nil else { return cancelWake() }
    let isStreaming = schedule.isStreaming && !sources.isEmpty
    guard streams.isEmpty else { return cancelWake() }
    if isStreaming, !areSourcesUsed, mayOpenStreams(at: now) { return cancelWake() + openStreams(sources) }
    let reopening = isStreaming ? streamsNotBefore.map { max($0 - now, .milliseconds(100)) } : nil
    let delays = [schedule.pollingDelay(randomness: randomness()), reopening]
    return delays.compactMap { $0 }.min().map { wake(after: $0) } ?? cancelWake()
  }

  private mutating func succeed() {
    (failures, hasAnswered) = (0, true)
    heldUntil = .zero
  }

  // MARK: Requests and waits

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Starts a request, or schedules one to follow the current one.
  mutating func want(at now: Duration) -> [Action] {
    guard fetch == nil else {
      isFetchWanted = true
      return []
    }
    return begin(at: now)
  }

  /// Starts a request, or postpones it if too many are running.
  private mutating func begin(at now: Duration) -> [Action] {
    let cancelled = cancelWake()
    guard running.count < Self.maximumRequests else {
      isFetchWanted = true
      return cancelled
    }
    let request = Fetch(
      number: nextNumber(), context: context, tag: isUnconditional || needsSources(at: now) ? nil : tag, hint: hint)
    fetch = request.number
    lastFetchAt = now
    running.insert(request.number)
    (isFetchWanted, isChangeAnnounced) = (false, false)
    isUnconditional = false
    hint = nil
    return cancelled + [.fetch(request)]
  }

  /// Returns whether a request needs a whole answer: an unchanged one would not bring new addresses of streams.
  private func needsSources(at now: Duration) -> Bool {
    schedule.isStreaming && areSourcesUsed && streams.isEmpty && mayOpenStreams(at: now)
  }

  private func mayOpenStreams(at now: Duration) -> Bool { streamsNotBefore.map { now >= $0 } ?? false }

  /// Requests the answers again, unless a retry is pending, so that events do not make an outage worse.
  ///
  /// Several changes in ``FollowerSchedule/minimumInterval`` are one request.
  package mutating func outdate(hint: ChangeHint?, at now: Duration) -> [Action] {
    self.hint = hint ?? self.hint
    guard background == nil, !isRetryPending, !isChangeAnnounced else { return [] }
    isChangeAnnounced = true
    return fetch == nil ? beginWhenDue(at: now) : []
  }

  /// Starts a request for an announced change, or schedules it if the last one has just started.
  private mutating func beginWhenDue(at now: Duration) -> [Action] {
    let delay = lastFetchAt.map { $0 + schedule.minimumInterval - now } ?? .zero
    return delay > .zero ? wake(after: delay) : begin(at: now)
  }

  /// Whether a request is scheduled after a failure.
  var isRetryPending: Bool { failures > 0 && wake != nil }

  private mutating func cancelFetch() -> [Action] {
    defer { (fetch, isFetchOutdated) = (nil, false) }
    return fetch.map { [.cancelFetch($0)] } ?? []
  }

  mutating func wake(after delay: Duration) -> [Action] {
    let cancelled = cancelWake()
    let number = nextNumber()
    wake = number
    return cancelled + [.wake(number, after: delay)]
  }

  private mutating func cancelWake() -> [Action] {
    defer { wake = nil }
    return wake.map { [.cancelWake($0)] } ?? []
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

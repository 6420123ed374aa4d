import Dispatch
package import FlagDomain
package import FlagProviders
import FlagSupport

/// A client that follows a source: drives a ``Follower``, performing its actions and feeding the results back.
///
/// Everything here may be used from any thread. A client that is released cancels all tasks that it has started.
package final class SourceClient<Content: DiffableContent>: Sendable {
  package struct Followed: DiffableContent {
    package var served: Served<Content>
    package var follower: Follower
    /// Whether the cache was read for the context; requests wait for that.
    var isCacheRead = true

    package func changes(since old: Followed) -> ChangedKeys? {
      // Reads depend on the user; other attributes take effect when there are answers for them.
      guard follower.context.user == old.follower.context.user else { return .all }
      // No value differs, but subscribers to the status are notified.
      return served.changes(since: old.served) ?? (follower.updates == old.follower.updates ? nil : .some([]))
    }

    var status: ProviderStatus {
      var status = served.status
      status.updates = follower.updates
      return status
    }
  }

  struct Work {
    var fetches: [Int: Task<Void, Never>] = [:]
    var wakes: [Int: Task<Void, Never>] = [:]
    var streams: [Int: Task<Void, Never>] = [:]
    var waiters: [Int: AsyncStream<FlagError?>.Continuation] = [:]
    /// The requests that wait until the cache was read.
    var held: [Follower.Fetch] = []
    var cached: Cached?
    var cachingFailures = FailureLog(end: "answers are cached again")
    var allowance = CacheAllowance()
  }

  /// Makes the text of an answer for the cache; nil if answers like it are not cached.
  typealias CacheText = @Sendable () throws(FlagError) -> [UInt8]?

  /// The last cached answer.
  struct Cached {
    var key: CacheKey
    /// The number of its request or push.
    var number: Int
    var time: Int64
    /// Its text, if that could not be written, or may not be yet.
    var unwritten: CacheText?
    /// Whether the answer waits for its turn.
    var isHeld = false
  }

  package let name: String
  let source: any AnswerSource<Content>
  let options: FollowerOptions
  let environment: FollowerEnvironment
  package let content: ObservableContent<Followed>
  /// The running tasks; locked before the content, never while that is locked.
  let work = Locked(Work())
  let writes = DispatchQueue(label: "flags.cache")

  /// Creates a client, which reads the cached answer, and sends requests once it is started.
  ///
  /// A bundled answer is part of the app itself.
  package init(
    _ source: some AnswerSource<Content>, name: String, options: FollowerOptions, bundled: Content? = nil,
    context: EvaluationContext = EvaluationContext(), environment: FollowerEnvironment
  ) {
    self.name = name
    self.source = source
    self.options = options
    self.environment = environment
    content = ObservableContent(
      Followed(
        served: Served(isLive: options.isLive, isCacheFirst: options.isCacheFirst, bundled: bundled),
        follower: Follower(
          options.schedule, for: context, sources: source.streams, randomness: environment.randomness)))
    let restored = load(for: context)
    content.update { content in
      content.served.begin()
      _ = content.served.restore(restored.own, or: restored.other)
    }
  }

  deinit {
    work.withLock { work in
      for task in Array(work.fetches.values) + Array(work.wakes.values) + Array(work.streams.values) { task.cancel() }
      for waiter in work.waiters.values { waiter.finish() }
    }
  }

  // MARK: The interface for providers

  /// Starts to send requests; subscribe to answers before.
  package func start() {
    perform(
      content.update { content in
        content.follower.start(tag: content.served.newest?.tag, at: environment.uptime())
      })
  }

  /// Makes a context the current one: drops the answers for another user, and soon serves the cached ones.
  package func updateContext(_ edit: (inout EvaluationContext) -> Void) {
    let (context, actions, isCacheRead) = content.update { content in
      let old = content.follower.context
      var context = old
      edit(&context)
      return (context, change(&content, from: old, to: context), content.isCacheRead)
    }
    if !isCacheRead { restore(for: context) }
    perform(actions)
  }

  private func change(
    _ content: inout Followed, from old: EvaluationContext, to context: EvaluationContext
  ) -> [Follower.Action] {
    guard !context.isLike(old, for: source) else {
      // The two contexts are equal for the source.
      content.follower.adopt(context)
      return []
    }
    let isSameUser = context.person == old.person
    content.isCacheRead = options.cache == nil
    content.served.begin(keepsCurrent: isSameUser)
    return content.follower.setContext(context, isSameUser: isSameUser, tag: nil, at: environment.uptime())
  }

  /// Accepts an update that the source pushes for a context that fulfils a condition.
  func push(_ new: Content, if isFor: (EvaluationContext) -> Bool) {
    let version = Served.Version(content: new, origin: .source, fetchedAt: environment.now())
    let pushed = content.update { content -> (context: EvaluationContext, number: Int, actions: [Follower.Action])? in
      guard isFor(content.follower.context) else { return nil }
      content.served.accept(version)
      let (number, actions) = content.follower.push(at: environment.uptime())
      return (content.follower.context, number, actions)
    }
    guard let pushed else { return }
    // Before waiters resume.
    cache(version, text(of: new, nil), for: pushed.context, pushed.number)
    perform(pushed.actions)
  }

  /// Requests the answers again, since the source announces a change.
  func outdate() { perform(content.update { $0.follower.outdate(hint: nil, at: environment.uptime()) }) }

  /// Sends a request now, since the app is in the foreground again.
  package func becomeActive() { perform(content.update { $0.follower.becomeActive(at: environment.uptime()) }) }

  /// Closes the streams, and polls and retries no more until the app is in the foreground again.
  package func enterBackground() { perform(content.update { $0.follower.enterBackground() }) }

  /// Serves the newest answer.
  package func activate() { content.update { $0.served.activate() } }

  /// Requests everything again, and waits for the end of the request.
  package func refresh() async throws(FlagError) {
    try await wait { content throws(FlagError) in try content.follower.refresh(at: self.environment.uptime()).get() }
  }

  /// Waits for the first answer for the current context; returns at once if there are values or an error.
  package func waitForValues() async throws(FlagError) {
    try await wait { content in (content.served.status.state == .notReady ? content.follower.join() : nil, []) }
  }

  private func wait(
    _ join: (inout Followed) throws(FlagError) -> (waiter: Int?, actions: [Follower.Action])
  ) async throws(FlagError) {
    let (outcomes, continuation) = AsyncStream.makeStream(of: FlagError?.self)
    let (waiter, actions, changes) = try work.withLock { work throws(FlagError) in
      let ((waiter, actions), changes) = try content.set(join)
      if let waiter { work.waiters[waiter] = continuation }
      return (waiter, actions, changes)
    }
    content.notify(changes)
    perform(actions)
    guard let waiter else { return }
    let outcome = await withTimeout(options.waitTimeout, on: environment.clock) { () async throws(FlagError) in
      for await error in outcomes { if let error { throw error } else { return } }
      throw .cancelled
    }
    content.update { $0.follower.leave(waiter) }
    work.withLock { _ = $0.waiters.removeValue(forKey: waiter) }
    try outcome.get()
  }

  // MARK: Actions

  /// Performs actions, with no lock held: a source may call back when its request is cancelled.
  private func perform(_ actions: [Follower.Action]) {
    for action in actions {
      switch action {
      case .fetch(let fetch): begin(fetch)
      case .cancelFetch(let number): work.withLock { $0.fetches.removeValue(forKey: number) }?.cancel()
      case .wake(let number, after: let delay): wake(number, after: delay)
      case .cancelWake(let number): work.withLock { $0.wakes.removeValue(forKey: number) }?.cancel()
      case .openStream(let number, let source): open(number, source)
      case .closeStream(let number): work.withLock { $0.streams.removeValue(forKey: number) }?.cancel()
      case .resume(let number, let error):
        let continuation = work.withLock { $0.waiters.removeValue(forKey: number) }
        continuation?.yield(error)
        continuation?.finish()
      }
    }
  }

  /// Sends a request, unless another thread has cancelled it meanwhile; once the cache was read.
  private func begin(_ fetch: Follower.Fetch) {
    let isHeld = work.withLock { work in
      let isHeld = !content.current.isCacheRead
      if isHeld { work.held.append(fetch) }
      return isHeld
    }
    if !isHeld { send(fetch) }
  }

  /// Sends the requests that have waited for the cache, with the tag of the cached answer.
  func sendHeld() {
    let held = work.withLock { work -> [Follower.Fetch] in
      guard content.current.isCacheRead else { return [] }
      defer { work.held = [] }
      return work.held
    }
    for fetch in held { send(content.current.follower.tagged(fetch, at: environment.uptime())) }
  }

  private func send(_ fetch: Follower.Fetch) {
    let isWanted = work.withLock { work in
      guard content.current.follower.fetch == fetch.number else { return false }
      work.fetches[fetch.number] = Task { [weak self, source] in
        let outcome = await source.fetch(fetch) { [weak self] in self?.release(fetch.number) }
        self?.settle(fetch, with: outcome)
      }
      return true
    }
    if !isWanted { release(fetch.number) }
  }

  private func release(_ number: Int) {
    perform(content.update { $0.follower.release(number, at: environment.uptime()) })
  }

  private func settle(_ fetch: Follower.Fetch, with outcome: FetchOutcome<Content>) {
    work.withLock { _ = $0.fetches.removeValue(forKey: fetch.number) }
    let time = environment.now()
    var cached: (Served<Content>.Version, CacheText?)?
    let actions = content.update { content -> [Follower.Action] in
      let isOutdated = content.follower.isFetchOutdated
      guard let actions = content.follower.settle(fetch.number, with: outcome.answer, at: environment.uptime()) else {
        return []
      }
      switch outcome {
      case .content(let new, let answer, let body):
        let version = Served.Version(content: new, origin: .source, fetchedAt: time, tag: answer.tag)
        content.served.accept(version)
        cached = (version, text(of: new, body))
      // Answers for earlier attributes confirm none for the present ones.
      case .unchanged where isOutdated: break
      case .unchanged: cached = content.served.confirm(at: time).map { ($0, nil) }
      case .failure(let failure): content.served.fail(failure.error)
      }
      return actions
    }
    // Before its waiters resume.
    if let cached { cache(cached.0, cached.1, for: fetch.context, fetch.number) }
    perform(actions)
  }

  private func wake(_ number: Int, after delay: Duration) {
    work.withLock { work in
      guard content.current.follower.wake == number else { return }
      work.wakes[number] = Task { [weak self, clock = environment.clock] in
        do { try await clock.sleep(for: delay) } catch { return }
        self?.wakeUp(number)
      }
    }
  }

  private func wakeUp(_ number: Int) {
    work.withLock { _ = $0.wakes.removeValue(forKey: number) }
    perform(content.update { $0.follower.wakeUp(number, at: environment.uptime()) })
  }

  private func open(_ number: Int, _ stream: EventSource) {
    let inactivity = max(options.inactivityLimit ?? stream.inactivity ?? .seconds(120), .seconds(10))
    work.withLock { work in
      guard content.current.follower.streams[number] != nil else { return }
      work.streams[number] = Task { [weak self, source] in
        let end = await source.follow(stream, inactivity: inactivity) { [weak self] in self?.receive($0, from: number) }
        guard !Task.isCancelled else { return }
        self?.streamEnded(number, end)
      }
    }
  }

  private func receive(_ event: StreamEvent, from number: Int) {
    let now = environment.uptime()
    perform(
      content.update { content -> [Follower.Action] in
        switch event {
        case .opened: return content.follower.streamOpened(number, at: now)
        case .changed(let hint, let versions):
          if let tag = content.follower.tag, versions.contains(tag) { return [] }
          return content.follower.streamChanged(number, hint: hint, at: now)
        }
      })
  }

  private func streamEnded(_ number: Int, _ end: StreamFailure) {
    work.withLock { _ = $0.streams.removeValue(forKey: number) }
    perform(content.update { $0.follower.streamEnded(number, end, at: environment.uptime()) })
  }
}

import Dispatch
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagTransport

/// Keeps what a service says: does what the state decides, and tells it what came of it.
final class ServiceClient<Format: ServiceFormat>: Sendable {
  struct Work {
    var fetches: [Int: Task<Void, Never>] = [:]
    var wakes: [Int: Task<Void, Never>] = [:]
    var streams: [Int: Task<Void, Never>] = [:]
    var waiters: [Int: AsyncStream<FlagError?>.Continuation] = [:]
    /// The request whose answer was kept last, and when that came.
    var kept: (fetch: SyncState.Fetch, time: Int64)?
  }

  let name: String
  let format: Format
  let options: ServiceOptions
  let environment: ServiceEnvironment
  private let http: HTTPClient
  let content: ObservableContent<ServedContent<Format>>
  /// What runs; taken before the content's lock, never inside of it.
  let work = Locked(Work())
  let writes = DispatchQueue(label: "flags.cache")

  /// Creates a client, which reads what was kept, and asks at once.
  ///
  /// - Throws: Why the service may not be asked, or what is wrong with the bundled answer.
  init(
    _ format: Format, name: String, address: TransportRequest, schedule: SyncSchedule, options: ServiceOptions,
    context: EvaluationContext, environment: ServiceEnvironment
  ) throws(FlagError) {
    self.name = name
    self.format = format
    self.options = options
    self.environment = environment
    http = HTTPClient(
      environment.transport, plaintextHosts: options.plaintextHosts, limit: options.sizeLimit,
      clock: environment.clock)
    if let objection = http.objection(to: address.url) { throw FlagError(.providerFatal, "\(objection)") }
    let bundled = try options.bundled.map { data throws(FlagError) in
      ServedContent<Format>.Version(content: try format.content(of: Array(data)), origin: .bundle)
    }
    content = ObservableContent(
      ServedContent(
        format, provider: name, isLive: options.updates == .live, isCacheFirst: options.loading == .cacheFirst,
        bundled: bundled, sync: SyncState(schedule, for: context, randomness: environment.randomness)))
    let kept = load(for: context)
    perform(
      content.update { content in
        content.begin(with: kept)
        return content.sync.start(tag: kept.tag(), at: environment.uptime())
      })
  }

  deinit {
    work.withLock { work in
      for task in Array(work.fetches.values) + Array(work.wakes.values) + Array(work.streams.values) { task.cancel() }
      for waiter in work.waiters.values { waiter.finish() }
    }
  }
}

// MARK: What providers ask for

extension ServiceClient {
  var snapshot: any ProviderSnapshot { content.current.snapshot }

  var status: ProviderStatus { content.current.status }

  /// Makes a context the current one: drops what was for another, and serves what was kept for this one.
  func updateContext(_ edit: (inout EvaluationContext) -> Void) {
    var context = content.current.sync.context
    edit(&context)
    guard context != content.current.sync.context else { return }
    let kept = load(for: context)
    perform(
      content.update { content in
        guard context != content.sync.context else { return [] }
        let old = content.sync.context
        if format.disclosed(context) == format.disclosed(old) {
          // To the service it is the same; only reads tell them apart.
          content.sync.adopt(context)
          return []
        }
        let actions = content.sync.setContext(context, tag: kept.tag(), at: environment.uptime())
        content.begin(with: kept, keepsServed: context.user == old.user && context.anonymousID == old.anonymousID)
        return actions
      })
  }

  /// Asks now, since the app is in the foreground again.
  func becomeActive() { perform(content.update { $0.sync.becomeActive(at: environment.uptime()) }) }

  /// Serves the newest answer.
  func activate() { content.update { $0.activate() } }

  /// Asks for everything anew, and waits for the end of that.
  func refresh() async throws(FlagError) {
    try await wait { sync throws(FlagError) in try sync.refresh(at: self.environment.uptime()).get() }
  }

  /// Waits for the request that runs, if one does.
  func settle() async throws(FlagError) {
    guard !status.isSettled else { return }
    try await wait { sync in (sync.join(), []) }
  }

  private func wait(
    _ join: (inout SyncState) throws(FlagError) -> (waiter: Int?, actions: [SyncState.Action])
  ) async throws(FlagError) {
    let (outcomes, continuation) = AsyncStream.makeStream(of: FlagError?.self)
    let (waiter, actions) = try work.withLock { work throws(FlagError) in
      let (waiter, actions) = try content.update { content throws(FlagError) in try join(&content.sync) }
      if let waiter { work.waiters[waiter] = continuation }
      return (waiter, actions)
    }
    perform(actions)
    guard let waiter else { return }
    var outcome: FlagError?? = .none
    for await error in outcomes {
      outcome = .some(error)
      break
    }
    content.update { $0.sync.leave(waiter) }
    work.withLock { _ = $0.waiters.removeValue(forKey: waiter) }
    if case .some(let error?) = outcome { throw error }
    if outcome == nil { throw FlagError(.general, "the wait was cancelled", provider: name, isTransient: true) }
  }
}

// MARK: Doing what was decided

extension ServiceClient {
  /// Does what was decided, with no lock held.
  private func perform(_ actions: [SyncState.Action]) {
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

  /// Sends a request, unless another thread has called that off meanwhile.
  private func begin(_ fetch: SyncState.Fetch) {
    work.withLock { work in
      guard content.current.sync.fetch == fetch.number else { return }
      work.fetches[fetch.number] = Task { [weak self, format, http, environment, timeout = options.timeout] in
        let outcome = await format.fetch(fetch, over: http, timeout: timeout, date: environment.date)
        self?.settle(fetch, with: outcome)
      }
    }
  }

  private func settle(_ fetch: SyncState.Fetch, with outcome: FetchOutcome<Format.Content>) {
    work.withLock { _ = $0.fetches.removeValue(forKey: fetch.number) }
    let time = environment.date().secondsSince1970
    var kept: ServedContent<Format>.Version?
    let actions = content.update { content -> [SyncState.Action] in
      guard let actions = content.sync.settle(fetch.number, with: outcome.answer, at: environment.uptime()) else {
        return []
      }
      switch outcome {
      case .content(let new, let tag, _):
        let version = ServedContent<Format>.Version(content: new, origin: .service, fetchedAt: time, tag: tag)
        content.accept(version)
        kept = version
      case .unchanged: kept = content.confirm(at: time)
      case .failure(let failure): content.fail(failure.error)
      }
      return actions
    }
    // Before those who wait for it go on.
    if let kept { keep(kept, outcome.body, of: fetch) }
    perform(actions)
  }

  private func wake(_ number: Int, after delay: Duration) {
    work.withLock { work in
      guard content.current.sync.wake == number else { return }
      work.wakes[number] = Task { [weak self, clock = environment.clock] in
        do { try await clock.sleep(for: delay) } catch { return }
        self?.wakeUp(number)
      }
    }
  }

  private func wakeUp(_ number: Int) {
    work.withLock { _ = $0.wakes.removeValue(forKey: number) }
    perform(content.update { $0.sync.wakeUp(number, at: environment.uptime()) })
  }

  private func open(_ number: Int, _ source: EventSource) {
    let inactivity = max(options.inactivityLimit ?? source.inactivity ?? .seconds(120), .seconds(10))
    work.withLock { work in
      guard content.current.sync.streams[number] != nil else { return }
      work.streams[number] = Task { [weak self, format, http, environment, timeout = options.timeout] in
        let end = await http.follow(format.request(for: source), timeout: timeout, inactivity: inactivity) {
          [weak self] in self?.hear($0, from: number)
        }
        guard !Task.isCancelled else { return }
        self?.streamEnded(number, StreamFailure(end, now: environment.date()))
      }
    }
  }

  private func hear(_ event: HTTPClient.StreamEvent, from number: Int) {
    let now = environment.uptime()
    perform(
      content.update { content -> [SyncState.Action] in
        switch event {
        case .opened: return content.sync.streamOpened(number, at: now)
        case .event(let event):
          guard let hint = format.hint(in: event, since: content.sync.tag) else { return [] }
          return content.sync.streamSaid(number, hint: hint, at: now)
        }
      })
  }

  private func streamEnded(_ number: Int, _ end: StreamFailure) {
    work.withLock { _ = $0.streams.removeValue(forKey: number) }
    perform(content.update { $0.sync.streamEnded(number, end, at: environment.uptime()) })
  }
}

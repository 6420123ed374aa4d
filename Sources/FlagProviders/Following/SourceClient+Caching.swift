import Dispatch
import FlagDomain
import FlagSupport

extension SourceClient {
  private func key(for context: EvaluationContext, in cache: AnswerCache) -> CacheKey {
    // No credentials have a field without a name, so that no cache's name is a credential.
    let client = cache.name.map { ["", $0] } ?? source.credentials
    return CacheKey(source.identity + client, of: context.person, context: source.disclosed(context))
  }

  /// The answers that were cached for a user.
  struct Restored {
    /// The answer for the context, or the reason why it is unusable.
    var own: Result<Served<Content>.Version?, FlagError> = .success(nil)
    /// The newest answer for other attributes.
    var other: Served<Content>.Version?
  }

  /// Returns what was cached for a context.
  func load(for context: EvaluationContext) -> Restored {
    guard let cache = options.cache else { return Restored() }
    let (key, now) = (key(for: context, in: cache), environment.now())
    var restored = Restored()
    do throws(FlagError) {
      if let own = try cache.entry(for: key, now: now) {
        restored.own = .success(try version(of: own))
        return restored
      }
    } catch {
      restored.own = .failure(error)
    }
    do throws(FlagError) {
      restored.other = try cache.newestEntry(like: key, now: now).map { entry throws(FlagError) in
        try version(of: entry)
      }
      // The tag is that of another context's answer.
      restored.other?.tag = nil
    } catch {
      if case .success = restored.own { restored.own = .failure(error) }
    }
    return restored
  }

  private func version(of entry: CacheEntry) throws(FlagError) -> Served<Content>.Version {
    Served.Version(
      content: try source.content(of: entry.body), origin: .cache, fetchedAt: entry.fetchedAt, tag: entry.tag)
  }

  /// Reads what was cached for a context on another thread, and then sends the requests that wait for it.
  func restore(for context: EvaluationContext) {
    writes.async { [weak self] in
      // If the context has changed since, another one is read after this.
      guard let self, content.current.follower.context.isLike(context, for: source) else { return }
      let restored = load(for: context)
      content.update { content in
        guard !content.isCacheRead, content.follower.context.isLike(context, for: source) else { return }
        content.isCacheRead = true
        guard content.served.restore(restored.own, or: restored.other) else { return }
        content.follower.restore(tag: restored.own.tag())
      }
      sendHeld()
    }
  }

  /// Caches an answer, unless the answer to a later request is cached already.
  ///
  /// An answer that is only confirmed is cached again once an hour, or if it could not be written before. Those of many
  /// contexts in a short time are not cached until one stays and is answered again.
  func cache(_ version: Served<Content>.Version, _ body: [UInt8]?, of fetch: State.Fetch) {
    guard let cache = options.cache, let time = version.fetchedAt else { return }
    let key = key(for: fetch.context, in: cache)
    work.withLock { work in
      let old = work.cached.flatMap { $0.key == key ? $0 : nil }
      let body = body ?? old?.unwritten
      if let old {
        guard old.number < fetch.number, body != nil || (time - old.time).magnitude >= 3600 else { return }
      }
      work.cached = Cached(key: key, number: fetch.number, time: time)
      if old?.isHeld ?? true, !work.allowance.take(at: environment.uptime()) {
        work.cached = Cached(key: key, number: fetch.number, time: time, unwritten: body, isHeld: true)
        return
      }
      write(version, body, at: time, to: cache, as: key)
    }
  }

  private func write(
    _ version: Served<Content>.Version, _ body: [UInt8]?, at time: Int64, to cache: AnswerCache, as key: CacheKey
  ) {
    writes.async { [weak self, source] in
      do throws(FlagError) {
        let cacheable = try body.map { body throws(FlagError) in try source.cacheable(body) }
        try cache.store(cacheable, tag: version.tag, fetchedAt: time, for: key)
        self?.reportCaching(nil)
      } catch {
        self?.reportCaching(error)
        // Without a body only the time is missing, which the next confirmation brings.
        if let body { self?.work.withLock { if $0.cached?.time == time { $0.cached?.unwritten = body } } }
      }
    }
  }

  private func reportCaching(_ failure: FlagError?) {
    guard var report = work.withLock({ $0.cachingFailures.record(failure) }) else { return }
    report.provider = name
    options.onCacheError(report)
  }

  /// Returns when the answers that were accepted by now are cached.
  package func waitForWrites() async {
    await withCheckedContinuation { continuation in writes.async { continuation.resume() } }
  }
}

extension EvaluationContext {
  /// Returns whether a source receives the same of two contexts.
  func isLike(_ other: EvaluationContext, for source: some AnswerSource) -> Bool {
    source.disclosed(self) == source.disclosed(other)
  }
}

extension Result {
  /// Returns the tag of the cached answer, or nil.
  func tag<Content>() -> String? where Success == Served<Content>.Version?, Failure == FlagError {
    switch self {
    case .success(let version): version?.tag
    case .failure: nil
    }
  }
}

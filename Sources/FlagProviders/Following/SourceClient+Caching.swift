import Dispatch
import FlagDomain

extension SourceClient {
  private func key(for context: EvaluationContext) -> CacheKey {
    CacheKey(source.identity, context: source.disclosed(context))
  }

  /// Returns the answer that was cached for a context, or the reason why it is unusable.
  func load(for context: EvaluationContext) -> Result<Served<Content>.Version?, FlagError> {
    Result { () throws(FlagError) in
      guard let entry = try options.cache?.entry(for: key(for: context), now: environment.now()) else { return nil }
      return Served.Version(
        content: try source.content(of: entry.body), origin: .cache, fetchedAt: entry.fetchedAt, tag: entry.tag)
    }
  }

  /// Caches an answer, unless the answer to a later request is cached already.
  ///
  /// An answer that is only confirmed is cached again once an hour, or if it could not be written before. Those of many
  /// contexts in a short time are not cached until one stays and is answered again.
  func cache(_ version: Served<Content>.Version, _ body: [UInt8]?, of fetch: State.Fetch) {
    guard let cache = options.cache, let time = version.fetchedAt else { return }
    let key = key(for: fetch.context)
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
    writes.async { [weak self, source, name] in
      do throws(FlagError) {
        let cacheable = try body.map { body throws(FlagError) in try source.cacheable(body) }
        try cache.store(cacheable, tag: version.tag, fetchedAt: time, for: key)
      } catch {
        var error = error
        error.provider = name
        self?.options.onCacheError(error)
        // Without a body only the time is missing, which the next confirmation brings.
        if let body { self?.work.withLock { if $0.cached?.time == time { $0.cached?.unwritten = body } } }
      }
    }
  }

  /// Returns when the answers that were accepted by now are cached.
  package func waitForWrites() async {
    await withCheckedContinuation { continuation in writes.async { continuation.resume() } }
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

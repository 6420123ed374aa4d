import Dispatch
import FlagDomain
import FlagProviders
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
  ///
  /// - Parameters:
  ///   - version: The answer.
  ///   - text: Makes the answer's text; nil to confirm the last one.
  ///   - context: The context of the answer.
  ///   - number: The number of its request or push.
  func cache(
    _ version: Served<Content>.Version, _ text: CacheText?, for context: EvaluationContext, _ number: Int
  ) {
    guard let cache = options.cache, let time = version.fetchedAt else { return }
    let key = key(for: context, in: cache)
    work.withLock { work in
      let old = work.cached.flatMap { $0.key == key ? $0 : nil }
      let text = text ?? old?.unwritten
      if let old {
        guard old.number < number, text != nil || (time - old.time).magnitude >= 3600 else { return }
      }
      work.cached = Cached(key: key, number: number, time: time)
      if old?.isHeld ?? true, !work.allowance.take(at: environment.uptime()) {
        work.cached = Cached(key: key, number: number, time: time, unwritten: text, isHeld: true)
        return
      }
      write(version, text, number, at: time, to: cache, as: key)
    }
  }

  private func write(
    _ version: Served<Content>.Version, _ text: CacheText?, _ number: Int, at time: Int64, to cache: AnswerCache,
    as key: CacheKey
  ) {
    writes.async { [weak self] in
      // A service may push faster than files are written.
      let later = self?.work.withLock { $0.cached.flatMap { $0.key == key && $0.number > number ? $0 : nil } }
      if let later, !later.isHeld { return }
      do throws(FlagError) {
        var body: [UInt8]?
        if let text {
          body = try text()
          if body == nil { return }  // answers like it are not cached
        }
        try cache.store(body, tag: version.tag, fetchedAt: time, for: key)
        self?.reportCaching(nil)
      } catch {
        self?.reportCaching(error)
        // Without a text only the time is missing, which the next confirmation brings.
        if let text { self?.work.withLock { if $0.cached?.number == number { $0.cached?.unwritten = text } } }
      }
    }
  }

  /// Returns what makes the text of an answer for the cache.
  func text(of content: Content, _ body: [UInt8]?) -> CacheText {
    { [source] () throws(FlagError) in try source.cacheText(of: content, body) }
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
  /// The identity, whatever the other attributes are: the user's id, or else the visitor's.
  var person: FlagValue {
    if let user { return ["user", .string(user.id)] }
    return ["visitor", targetingKey.map(FlagValue.string) ?? .null]
  }

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

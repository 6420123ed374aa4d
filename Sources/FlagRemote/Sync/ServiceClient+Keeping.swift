import Dispatch
import FlagDomain
import FlagHTTP

extension ServiceClient {
  private func key(for context: EvaluationContext) -> CacheKey {
    CacheKey(format.identity, context: format.disclosed(context))
  }

  /// Returns what was kept for a context, or why that is of no use.
  func load(for context: EvaluationContext) -> Result<ServedContent<Format>.Version?, FlagError> {
    Result { () throws(FlagError) in
      let now = environment.date().secondsSince1970
      guard let entry = try options.cache?.entry(for: key(for: context), now: now) else { return nil }
      return ServedContent.Version(
        content: try format.content(of: entry.body), origin: .cache, fetchedAt: entry.fetchedAt, tag: entry.tag)
    }
  }

  /// Keeps an answer, unless the answer to a later request is kept already.
  ///
  /// One that is only confirmed is kept anew once an hour.
  func keep(_ version: ServedContent<Format>.Version, _ body: [UInt8]?, of fetch: SyncState.Fetch) {
    guard let cache = options.cache, let time = version.fetchedAt else { return }
    let key = key(for: fetch.context)
    work.withLock { work in
      if let kept = work.kept, kept.fetch.context == fetch.context {
        guard kept.fetch.number < fetch.number, body != nil || time - kept.time >= 3600 else { return }
      }
      work.kept = (fetch, time)
      write(version, body, at: time, to: cache, as: key)
    }
  }

  private func write(
    _ version: ServedContent<Format>.Version, _ body: [UInt8]?, at time: Int64, to cache: AnswerCache, as key: CacheKey
  ) {
    writes.async { [weak self, format, name] in
      do throws(FlagError) {
        let body = try body.map { body throws(FlagError) in try format.keepable(body) }
        try cache.keep(body, tag: version.tag, fetchedAt: time, for: key)
      } catch {
        var error = error
        error.provider = name
        self?.options.onCacheError(error)
      }
    }
  }

  /// Returns when all that was to be kept by now is kept.
  func waitForWrites() async {
    await withCheckedContinuation { continuation in writes.async { continuation.resume() } }
  }
}

extension Result {
  /// The tag of what was kept; nil without one.
  func tag<Format>() -> String? where Success == ServedContent<Format>.Version?, Failure == FlagError {
    switch self {
    case .success(let version): version?.tag
    case .failure: nil
    }
  }
}

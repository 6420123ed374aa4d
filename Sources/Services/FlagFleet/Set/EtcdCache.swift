import Dispatch
import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagServices
import FlagSupport

/// A cache of the last good document of a set on disk, for the next start of the program.
final class EtcdCache: Sendable {
  private struct State {
    /// The next document to write, newer than all earlier ones.
    var waiting: (text: [UInt8], tag: String, time: Int64)?
    var tag: String?
    /// The time at which the document was last cached or confirmed on disk.
    var cachedAt: Int64 = 0
    var failures = FailureLog(end: "definitions are cached again")
  }

  private let cache: AnswerCache
  private let key: CacheKey
  private let onError: @Sendable (FlagError) -> Void
  private let state = Locked(State())
  private let writes = DispatchQueue(label: "flags.etcd.cache")

  /// Creates the cache of a set; nil if the settings have none.
  init?(for set: String, _ settings: EtcdSettings) {
    guard let cache = settings.cache else { return nil }
    self.cache = cache
    // Not the endpoints: a cluster has the same sets, whichever of its members are listed.
    key = CacheKey(["etcd", settings.prefix, set], context: [:])
    onError = settings.onCacheError
  }

  /// Returns the document of an earlier run, and the time of etcd's last confirmation; nil if there is no usable one.
  func load(at now: Int64, _ format: any DefinitionFormat) -> (definitions: StoredDefinitions, confirmedAt: Int64)? {
    do {
      guard let entry = try cache.entry(for: key, now: now), let tag = entry.tag else { return nil }
      state.withLock {
        $0.tag = tag
        $0.cachedAt = entry.fetchedAt
      }
      // Its version is not one of the store's, so that nothing can be replaced on the basis of cached definitions.
      let version = Int(tag.prefix { $0 != " " }).map { DefinitionVersion.cached($0) }
      return (try StoredDefinitions(parsing: entry.body, version: version, format: format), entry.fetchedAt)
    } catch let error as FlagError {
      onError(error)
    } catch {
      onError(FlagError(.parseError, "the cached answer is not used: \(error)"))
    }
    return nil
  }

  /// Writes a document to the cache; of several that arrive during a write, only the newest is written.
  func store(_ text: [UInt8], _ revision: EtcdRevision, at time: Int64) {
    let tag = "\(revision.number) \(revision.fingerprint)"
    let isNew = state.withLock { state in
      guard state.tag != tag else { return false }
      state.tag = tag
      state.cachedAt = time
      state.waiting = (text, tag, time)
      return true
    }
    guard isNew else { return confirm(at: time) }
    writes.async { [self] in
      guard
        let waiting = state.withLock({ state in
          defer { state.waiting = nil }
          return state.waiting
        })
      else { return }
      write(waiting.text, waiting.tag, at: waiting.time)
    }
  }

  /// Records that the document is still the newest, once an hour, so that it does not expire.
  func confirm(at time: Int64) {
    let tag: String? = state.withLock { state in
      guard state.waiting == nil, time - state.cachedAt >= 3600 else { return nil }
      state.cachedAt = time
      return state.tag
    }
    guard let tag else { return }
    writes.async { [self] in write(nil, tag, at: time) }
  }

  private func write(_ text: [UInt8]?, _ tag: String, at time: Int64) {
    var failure: FlagError?
    do throws(FlagError) { try cache.store(text, tag: tag, fetchedAt: time, for: key) } catch { failure = error }
    if let report = state.withLock({ $0.failures.record(failure) }) { onError(report) }
  }

  /// Returns when all documents so far are written.
  func waitForWrites() async {
    await withCheckedContinuation { continuation in writes.async { continuation.resume() } }
  }
}

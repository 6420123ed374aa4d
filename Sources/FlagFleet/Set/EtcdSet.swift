import Dispatch
import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagRemote

/// A set of definitions in etcd: what is known of it, and how news of it is taken over.
///
/// What follows it holds it, and is ended by the store that has made it.
final class EtcdSet: Sendable {
  private struct State {
    /// The revision of etcd at which the head was written that was told last; 0 for none yet.
    var told: Int64 = 0
    /// Whether what was told last has to be asked for again, though the head is the same: not all of it was there.
    var isIncomplete = false
    /// The definitions that were kept on disk, until there are newer ones.
    var kept: EtcdCache.Kept?
    /// Which revision the current definitions are; nil while they are those that were kept.
    var running: PublishedRevision?
    /// When etcd said last that the definitions are the newest, in seconds since the beginning of 1970.
    var confirmedAt: Int64?
    /// The text that came last with a head; it may be a candidate's that this server is yet to run, or an old one.
    var text: [UInt8]?
  }

  let name: String
  let server: String?
  let keys: EtcdKeys
  let client: EtcdClient
  let bucketing: Bucketing
  let updates: DefinitionUpdates
  let reporter: EtcdReporter?
  private let cache: EtcdCache?
  private let state: Locked<State>

  init(
    _ set: String, server: String?, settings: EtcdSettings, bucketing: Bucketing, cache: EtcdCache?,
    environment: ServiceEnvironment
  ) {
    name = "etcd \(settings.prefix)/\(set)"
    self.server = server
    let keys = EtcdKeys(prefix: settings.prefix, set: set)
    let client = EtcdClient(settings, environment)
    (self.keys, self.client) = (keys, client)
    self.bucketing = bucketing
    self.cache = cache
    let kept = cache?.load(at: environment.date().secondsSince1970, bucketing)
    updates = DefinitionUpdates(kept?.definitions)
    reporter = server.map { EtcdReporter(key: keys.server($0), client: client) }
    state = Locked(State(kept: kept, confirmedAt: kept?.confirmedAt))
  }
}

// MARK: What is known

extension EtcdSet {
  /// The definitions, which may be those of an earlier run, and why they may not be the newest.
  var standing: DefinitionStanding {
    var standing = updates.standing
    state.withLock { state in
      standing.fetchedAt = state.confirmedAt
      guard state.running == nil, state.kept != nil else { return }
      standing.origin = .kept
      standing.isSettled = standing.failure != nil
    }
    return standing
  }

  /// Returns when all that was to be kept by now is kept.
  func waitForWrites() async { await cache?.waitForWrites() }

  /// The revision of etcd of the head that was told last.
  var told: Int64 { state.withLock { $0.told } }

  var isIncomplete: Bool { state.withLock { $0.isIncomplete } }

  var now: Int64 { client.environment.date().secondsSince1970 }

  /// Tells that etcd cannot be read.
  func fail(_ error: EtcdError) { updates.tell(.failure(failure(.unreadable, "\(error)"))) }

  func failure(_ code: DefinitionStoreError.Code, _ message: String) -> DefinitionStoreError {
    DefinitionStoreError(code, store: name, message)
  }
}

// MARK: News

extension EtcdSet {
  /// The head as it was read at one moment; nil for none.
  struct Reading: Sendable {
    var value: [UInt8]?
    /// The revision of etcd at which it was written; 0 for none.
    var modRevision: Int64
    /// The text that came with it, which may be another revision's; nil for none.
    var text: [UInt8]?
  }

  /// Reads the head, and the text beside it, out of a range.
  func reading(of range: EtcdRange) -> Reading {
    let head = range.entries.first { $0.key == keys.head }
    let text = range.entries.first { $0.key == keys.text }
    return Reading(value: head?.value, modRevision: head?.modRevision ?? 0, text: text?.value)
  }

  /// Takes over a head, unless a newer one was, with the document that it names.
  ///
  /// - Parameters:
  ///   - reading: The head.
  ///   - member: The member that is asked for the document first; nil for any.
  ///   - definitions: What the document says, where that is known.
  ///   - base: What had been told before a quorum was asked: where that is so still, this is the truth, even where it
  ///     is older, as after a cluster was restored from a backup.
  /// - Returns: Whether it counts, which it does not where a newer one was told.
  /// - Throws: Why the document cannot be fetched now.
  @discardableResult
  func adopt(
    _ reading: Reading, from member: Int? = nil, knowing definitions: StoredDefinitions? = nil,
    insteadOf base: Int64? = nil
  ) async throws(EtcdError) -> Bool {
    guard isNews(reading, insteadOf: base) else { return false }
    if let text = reading.text, text.count <= Self.smallSize { state.withLock { $0.text = text } }
    let (result, isIncomplete) = try await found(for: reading, from: member, knowing: definitions)
    var isTold = false
    updates.tell { current in
      guard isNews(reading, insteadOf: base) else { return nil }
      isTold = true
      state.withLock { state in
        state.told = reading.modRevision
        state.isIncomplete = isIncomplete
        guard case .success = result.update else { return }
        state.running = result.revision?.published
        state.confirmedAt = now
        state.kept = nil
      }
      return result.update
    }
    guard isTold else { return false }
    if let revision = result.revision, case .success(let definitions) = result.update {
      cache?.keep(definitions.text, revision, at: now)
    }
    report(result.revision, result.update)
    return true
  }

  /// Takes note that etcd has the same head still.
  func confirm() {
    let time = now
    state.withLock { if $0.running != nil { $0.confirmedAt = time } }
    cache?.confirm(at: time)
  }

  private func isNews(_ reading: Reading, insteadOf base: Int64?) -> Bool {
    let told = told
    return reading.modRevision >= told || base == told
  }

  private typealias Found = (update: DefinitionUpdates.Update, revision: EtcdRevision?)

  /// Returns what a head means for this server, and whether it is worth to ask for it again.
  private func found(
    for reading: Reading, from member: Int?, knowing definitions: StoredDefinitions?
  ) async throws(EtcdError) -> (Found, isIncomplete: Bool) {
    guard let value = reading.value else {
      return ((.failure(failure(.unreadable, "expected a published set, found none")), nil), false)
    }
    let head: EtcdHead
    do throws(EtcdError) { head = try EtcdHead(value) } catch {
      return ((.failure(failure(.invalid, "\(error)")), nil), false)
    }
    let wanted = head.revision(for: server)
    let (running, kept) = state.withLock { ($0.running, $0.kept) }
    if running == wanted.published,
      let current = updates.current
    {
      return ((.success(current), wanted), false)
    }
    let known = kept?.fingerprint == wanted.fingerprint ? kept?.definitions : definitions
    if let known {
      return ((.success(StoredDefinitions(known, version: wanted.published.version)), wanted), false)
    }
    guard let text = try await text(of: wanted, knowing: state.withLock({ $0.text }), from: member) else {
      let problem = "expected the document of revision \(wanted.number), found not all of it"
      return ((.failure(failure(.unreadable, problem)), nil), true)
    }
    return ((parse(text, as: wanted), wanted), false)
  }

  private func parse(_ text: [UInt8], as revision: EtcdRevision) -> DefinitionUpdates.Update {
    do throws(FlagDocumentError) {
      return .success(
        try StoredDefinitions(parsing: text, version: revision.published.version, bucketing: bucketing))
    } catch {
      return .failure(DefinitionStoreError(error, store: name))
    }
  }

  private func report(_ revision: EtcdRevision?, _ update: DefinitionUpdates.Update) {
    guard let reporter else { return }
    switch update {
    case .success: reporter.tell(revision: revision?.number, failure: nil, at: now)
    case .failure(let error):
      let running = updates.current.flatMap { Int($0.version.rawValue) }
      reporter.tell(revision: running, failure: String("\(error)".prefix(500)), at: now)
    }
  }
}

import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagPublishing
import FlagRemote

/// A set of definitions in etcd: the state besides the definitions, and the adoption of heads.
///
/// The tasks that follow the set retain it, and are cancelled by the store that created it.
final class EtcdSet: Sendable {
  private struct State {
    /// The revision of etcd at which the adopted head was written; 0 before the first one.
    var adoptedRevision: Int64 = 0
    /// Whether the adopted head has to be read again, because its document was incomplete.
    var isIncomplete = false
    /// The time at which etcd last confirmed that the definitions are the newest, in seconds since 1970-01-01 UTC.
    var confirmedAt: Int64?
    /// The time at which a member last answered, in seconds since 1970-01-01 UTC.
    var contactedAt: Int64?
    /// Whether there is a watch.
    var isConnected = false
    /// The text that last came with a head; it may be a candidate's that this server does not run yet, or an old one.
    var text: [UInt8]?
    /// The uptime at which the watch last sent something.
    var lastEventAt = Duration.zero
  }

  let name: String
  let server: String?
  let keys: EtcdKeys
  let client: EtcdClient
  let format: any DefinitionFormat
  let updates: DefinitionUpdates
  let reporter: EtcdReporter?
  private let cache: EtcdCache?
  private let state: Locked<State>

  init(
    _ set: String, server: String?, settings: EtcdSettings, format: any DefinitionFormat,
    environment: ServiceEnvironment
  ) {
    name = "etcd \(settings.prefix)/\(set)"
    self.server = server
    let keys = EtcdKeys(prefix: settings.prefix, set: set)
    let client = EtcdClient(settings, environment)
    (self.keys, self.client) = (keys, client)
    self.format = format
    cache = EtcdCache(for: set, settings)
    let cached = cache?.load(at: environment.date().secondsSince1970, format)
    updates = DefinitionUpdates(cached?.definitions)
    reporter = server.map { EtcdReporter(server: $0, keys: keys, client: client) }
    state = Locked(State(confirmedAt: cached?.confirmedAt))
  }
}

// MARK: State

extension StoredDefinitions {
  /// The number of the revision of the definitions; nil for those of an earlier run.
  fileprivate var revision: Int? { Int(version.rawValue) }
}

extension EtcdSet {
  /// The definitions, which may be those of an earlier run, and the reason why they may be stale.
  var status: DefinitionStatus {
    var status = updates.status
    state.withLock { state in
      (status.fetchedAt, status.contactedAt) = (state.confirmedAt, state.contactedAt)
      status.isConnected = state.isConnected
    }
    if let definitions = status.definitions, definitions.revision == nil {
      status.origin = .cached
      status.isSettled = status.failure != nil
    }
    return status
  }

  /// Returns when all documents so far are written to the cache.
  func waitForWrites() async { await cache?.waitForWrites() }

  /// The revision of etcd of the adopted head; 0 before the first one.
  var adoptedRevision: Int64 { state.withLock { $0.adoptedRevision } }

  var isIncomplete: Bool { state.withLock { $0.isIncomplete } }

  /// The time since the watch last sent something.
  var silence: Duration { client.environment.uptime() - state.withLock { $0.lastEventAt } }

  var now: Int64 { client.environment.date().secondsSince1970 }

  func endSilence() {
    let time = client.environment.uptime()
    let date = now
    state.withLock { ($0.lastEventAt, $0.contactedAt) = (time, date) }
  }

  /// Records that a watch begins.
  func connect() {
    endSilence()
    state.withLock { $0.isConnected = true }
  }

  func disconnect() { state.withLock { $0.isConnected = false } }

  /// Reports that etcd cannot be read.
  func fail(_ error: EtcdError) {
    var failure = failure(.unreadable, "\(error)")
    failure.cause = error.cause
    updates.notify(.failure(failure))
  }

  func failure(_ code: DefinitionStoreError.Code, _ message: String) -> DefinitionStoreError {
    DefinitionStoreError(code, store: name, message)
  }

  // MARK: Heads

  /// The head as it was read at one time.
  struct Reading: Sendable {
    /// The head; nil if the set has no head.
    var head: EtcdHead?
    /// The reason why the head cannot be parsed, or why there is none though there is a history.
    var problem: EtcdError?
    /// The revision of etcd at which it was written; 0 if there is no head.
    var modRevision: Int64 = 0
    /// The text that came with it, which may be another revision's; nil for none.
    var text: [UInt8]?
  }

  /// Adopts a head with the document that it names, unless a newer head was adopted.
  ///
  /// - Parameters:
  ///   - reading: The head.
  ///   - member: The first member to fetch the document from; nil for any.
  ///   - definitions: Definitions that the head may name, parsed already.
  ///   - base: The revision that was adopted before a quorum was read: if it is still adopted, the reading is
  ///     authoritative even if it is older, as after a cluster was restored from a backup.
  /// - Returns: Whether it was adopted; false if a newer one was.
  /// - Throws: The reason why the document cannot be fetched now.
  @discardableResult
  func adopt(
    _ reading: Reading, from member: Int? = nil, knowing definitions: StoredDefinitions? = nil,
    insteadOf base: Int64? = nil
  ) async throws(EtcdError) -> Bool {
    guard isNewer(reading, insteadOf: base) else { return false }
    if let text = reading.text, text.count <= Self.smallSize { state.withLock { $0.text = text } }
    let revision = reading.head?.revision(for: server)
    let update = try await update(to: revision, of: reading, from: member, knowing: definitions)
    if revision != nil, update.isUnreadable, let newer = await self.newer(than: reading) {
      return try await adopt(newer, knowing: definitions)
    }
    var isAdopted = false
    updates.notify { _ in
      guard isNewer(reading, insteadOf: base) else { return nil }
      isAdopted = true
      state.withLock { state in
        state.adoptedRevision = reading.modRevision
        state.isIncomplete = revision != nil && update.isUnreadable
        if case .success = update { state.confirmedAt = now }
      }
      return update
    }
    guard isAdopted else { return false }
    if let revision, case .success(let definitions) = update { cache?.store(definitions.text, revision, at: now) }
    report(update)
    return true
  }

  /// Returns the head that a quorum has, if it is a newer one: its publisher may have pruned an older one's document.
  private func newer(than reading: Reading) async -> Reading? {
    do throws(EtcdError) {
      let newest = try await headAtQuorum()
      return newest.modRevision > reading.modRevision ? newest : nil
    } catch {
      return nil
    }
  }

  /// Records that etcd still has the same head.
  func confirm() {
    let time = now
    if updates.current?.revision != nil { state.withLock { $0.confirmedAt = time } }
    cache?.confirm(at: time)
  }

  private func isNewer(_ reading: Reading, insteadOf base: Int64?) -> Bool {
    let adopted = adoptedRevision
    return reading.modRevision >= adopted || base == adopted
  }

  /// Returns the definitions of a revision of a head, or the reason why they are unavailable.
  private func update(
    to revision: EtcdRevision?, of reading: Reading, from member: Int?, knowing known: StoredDefinitions?
  ) async throws(EtcdError) -> DefinitionUpdates.Update {
    guard let revision else {
      let problem = reading.problem.map { failure(.invalid, "\($0)") }
      return .failure(problem ?? failure(.unreadable, "expected a published set, found none"))
    }
    let version = revision.published.version
    // A known text is not parsed again: that of an earlier run, of an earlier revision, of the publisher.
    for definitions in [updates.current, known] {
      guard let definitions, definitions.document.format.isEqual(to: format), revision.names(definitions.text) else {
        continue
      }
      return .success(StoredDefinitions(definitions, version: version))
    }
    guard let text = try await text(of: revision, knowing: state.withLock({ $0.text }), from: member) else {
      let missing = "expected the document of revision \(revision.number), found only a part of it"
      return .failure(failure(.unreadable, "\(keys.document(revision.fingerprint)): \(missing)"))
    }
    return Result { () throws(DefinitionStoreError) in
      try StoredDefinitions(parsing: text, version: version, format: format, of: name)
    }
  }

  private func report(_ update: DefinitionUpdates.Update) {
    guard let reporter else { return }
    switch update {
    case .success(let definitions): reporter.report(revision: definitions.revision, failure: nil, at: now)
    case .failure(let error):
      reporter.report(revision: updates.current?.revision, failure: String("\(error)".prefix(500)), at: now)
    }
  }
}

extension EtcdSet.Reading {
  /// Parses a head; the entry is nil if there is no head.
  init(_ entry: EtcdEntry?, text: [UInt8]? = nil) {
    self.text = text
    guard let entry else { return }
    modRevision = entry.modRevision
    guard !entry.isRemoved else { return }
    do throws(EtcdError) { head = try EtcdHead(entry) } catch { problem = error }
  }
}

extension DefinitionUpdates.Update {
  fileprivate var isUnreadable: Bool { if case .failure(let error) = self { error.code == .unreadable } else { false } }
}

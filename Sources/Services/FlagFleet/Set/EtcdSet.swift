import FlagDefinitions
import FlagDomain
import FlagHTTP
import FlagProviders
import FlagPublishing
import FlagRemote
import FlagSupport
import FlagTransport

/// A set of definitions in etcd: follows the head, and adopts its definitions.
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
  let keys: EtcdKeys
  let client: EtcdClient
  let format: any DefinitionFormat
  let updates: DefinitionUpdates
  let reporter: EtcdReporter?
  private let server: String?
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

  var now: Int64 { client.environment.date().secondsSince1970 }

  /// Reports that etcd cannot be read.
  func fail(_ error: EtcdError) {
    var failure = failure(.unreadable, "\(error)")
    failure.cause = error.cause
    updates.notify(.failure(failure))
  }

  func failure(_ code: DefinitionStoreError.Code, _ message: String) -> DefinitionStoreError {
    DefinitionStoreError(code, store: name, message)
  }

  // MARK: Following

  /// The delays after consecutive failures.
  private static let backoff = Backoff(base: .milliseconds(200), cap: .seconds(5), minimum: .milliseconds(20))
  /// The delay after etcd refused this user the permission to read, which only a change of permissions ends.
  private static let refusedDelay = Duration.seconds(30)
  /// The minimum delay between two adopted changes, so that a burst costs a server little.
  private static let pause = Duration.milliseconds(100)
  /// The minimum duration of a watch for its end to count as the first failure.
  private static let steadyTime = Duration.seconds(2)

  /// Follows the head until the task is cancelled: reads it, watches it, and continues at another member after a
  /// failure.
  func follow() async {
    var member = client.preferred
    var failures = 0
    while !Task.isCancelled {
      let (error, lasted) = await follow(at: member)
      guard !Task.isCancelled else { return }
      failures = lasted >= Self.steadyTime ? 1 : failures + 1
      var delay = Self.backoff.delay(afterFailures: failures, randomness: client.environment.randomness())
      switch error {
      case .refused(.outOfRange, _): break  // compacted: this member is fine, from its current state
      case _ where error.isRefusal:
        client.dropToken()
        if failures > 1 || !error.isAboutToken { fail(error) }
        if failures > client.memberCount { delay = Self.refusedDelay * (0.5 + client.environment.randomness() / 2) }
      default:
        member = (member + 1) % client.memberCount
        // A single unavailable member of several is not a failure.
        if failures >= client.memberCount { fail(error) }
      }
      do { try await client.environment.clock.sleep(for: delay) } catch { return }
    }
  }

  /// Follows the head at a member, and returns the error that ended it and the duration of the watch.
  private func follow(at member: Int) async -> (EtcdError, Duration) {
    do throws(EtcdError) {
      let revision = try await read(at: member)
      let exchange = try await client.watch(keys.watched, from: revision + 1, at: member)
      let beginning = client.environment.uptime()
      endSilence()
      state.withLock { $0.isConnected = true }
      defer { state.withLock { $0.isConnected = false } }
      let error = await withTaskGroup(of: EtcdError.self) { group in
        group.addTask { await self.listen(to: exchange, at: member) }
        group.addTask { await self.watchOver(member) }
        let first = await group.next() ?? .unreachable(.cancelled)
        exchange.fail(.cancelled)
        group.cancelAll()
        return first
      }
      return (error, client.environment.uptime() - beginning)
    } catch {
      return (error, .zero)
    }
  }

  /// The timeout of a question to the member that is followed.
  private var memberTimeout: Duration { client.settings.attemptTimeout * 3 }

  /// Reads the head as a member has it, and returns the revision of the whole store there.
  ///
  /// That works without a quorum. If the member's state is older than the adopted one, a quorum decides.
  private func read(at member: Int) async throws(EtcdError) -> Int64 {
    let range = try await client.range(keys.watched, at: member, timeout: memberTimeout)
    endSilence()
    if try await adopt(head(in: range.entries), from: member) == false { try await readAtQuorum() }
    return range.revision
  }

  /// Reads the head from a quorum of the members, which is authoritative.
  func readAtQuorum() async throws(EtcdError) {
    let base = adoptedRevision
    try await adopt(headAtQuorum(), insteadOf: base)
  }

  private func headAtQuorum() async throws(EtcdError) -> Reading {
    head(in: try await client.range(keys.watched).entries)
  }

  /// Returns the newest head of some entries, and the text beside it.
  private func head(in entries: [EtcdEntry]) -> Reading {
    Reading(entries.last { $0.key == keys.head }, text: entries.last { $0.key == keys.text && !$0.isRemoved }?.value)
  }

  /// Adopts the changes of a watch, until it ends.
  private func listen(to exchange: Exchange, at member: Int) async -> EtcdError {
    var parser = EtcdWatchParser()
    do throws(EtcdError) {
      while let bytes = try await next(of: exchange) {
        endSilence()
        // Of several changes the last one counts: all that arrived in the meantime are one change.
        let reading = head(in: try parser.append(bytes))
        guard reading.modRevision > 0 else { continue }
        try await adopt(reading, from: member)
        do { try await client.environment.clock.sleep(for: Self.pause) } catch { return .unreachable(.cancelled) }
      }
      return .unreachable(.failed("the watch ended"))
    } catch {
      return error
    }
  }

  private func next(of exchange: Exchange) async throws(EtcdError) -> [UInt8]? {
    do throws(TransportError) { return try await exchange.next() } catch { throw .unreachable(error) }
  }

  /// Checks the member whenever the watch has been silent for the limit, and returns if it is unavailable.
  ///
  /// A stopped member is silent, and one that is cut off from the others may be, too.
  private func watchOver(_ member: Int) async -> EtcdError {
    let limit = client.settings.idleLimit
    while true {
      let silence = client.environment.uptime() - state.withLock { $0.lastEventAt }
      if silence < limit {
        do { try await client.environment.clock.sleep(for: limit - silence) } catch { return .unreachable(.cancelled) }
        continue
      }
      do throws(EtcdError) {
        var query = EtcdQuery.key(keys.head)
        query.isKeysOnly = true
        let range = try await client.range(query, at: member, timeout: memberTimeout, needsLeader: true)
        let (adopted, isIncomplete) = state.withLock { ($0.adoptedRevision, $0.isIncomplete) }
        guard range.entries.first?.modRevision ?? 0 == adopted, !isIncomplete else {
          // The watch has missed a change, or begins at a revision that this store has not reached yet.
          return .unreachable(.failed("the watch missed a change"))
        }
        confirm()
        endSilence()
      } catch {
        return error
      }
    }
  }

  private func endSilence() {
    let time = client.environment.uptime()
    let date = now
    state.withLock { ($0.lastEventAt, $0.contactedAt) = (time, date) }
  }

  /// Records that etcd still has the same head.
  private func confirm() {
    let time = now
    if updates.current?.revision != nil { state.withLock { $0.confirmedAt = time } }
    cache?.confirm(at: time)
  }

  // MARK: Adopting

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

    /// The revisions that the head names; empty if there is none, or it cannot be read.
    var named: [EtcdRevision] { [head?.revision, head?.candidate?.revision].compactMap { $0 } }
  }

  /// The revision of etcd of the adopted head; 0 before the first one.
  private var adoptedRevision: Int64 { state.withLock { $0.adoptedRevision } }

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

  private func isNewer(_ reading: Reading, insteadOf base: Int64?) -> Bool {
    let adopted = adoptedRevision
    return reading.modRevision >= adopted || base == adopted
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

  // MARK: Texts

  /// The maximum size of a chunk in bytes: well below the 1.5 MiB that etcd accepts in a request.
  static let chunkSize = 512 << 10
  /// The maximum size in bytes of a text that all watchers receive with the head that names it.
  ///
  /// A larger one is fetched: a server that cannot keep up with changes then fetches only the newest.
  static let smallSize = 64 << 10

  /// Returns the text of a revision; nil if etcd does not have all of it.
  ///
  /// A cached text is used if it is the right one. Chunks never change, so any member that has them can provide them:
  /// one is tried first, and if it fails or lags, a quorum.
  func text(
    of revision: EtcdRevision, knowing known: [UInt8]? = nil, from member: Int? = nil
  ) async throws(EtcdError) -> [UInt8]? {
    guard revision.size <= client.settings.sizeLimit else {
      throw .unreadable("a document of \(revision.size) bytes, above the limit of \(client.settings.sizeLimit)")
    }
    if let known, revision.names(known) { return known }
    var text: [UInt8] = []
    text.reserveCapacity(revision.size)
    for number in 0..<revision.chunks {
      guard let chunk = try await chunk(keys.chunk(number, of: revision.fingerprint), from: member) else { return nil }
      text += chunk
      guard text.count <= revision.size else { return nil }
    }
    return revision.names(text) ? text : nil
  }

  private func chunk(_ key: String, from member: Int?) async throws(EtcdError) -> [UInt8]? {
    if let member {
      do throws(EtcdError) {
        let range = try await client.range(.key(key), at: member, timeout: client.settings.timeout)
        if let entry = range.entries.first { return entry.value }
      } catch {
        guard error.isTransient else { throw error }
      }
    }
    return try await client.entry(key)?.value
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

extension StoredDefinitions {
  /// The number of the revision of the definitions; nil for those of an earlier run.
  fileprivate var revision: Int? { Int(version.rawValue) }
}

extension DefinitionUpdates.Update {
  fileprivate var isUnreadable: Bool { if case .failure(let error) = self { error.code == .unreadable } else { false } }
}

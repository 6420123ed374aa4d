public import FlagDefinitions
public import FlagDomain
public import FlagPublishing
package import FlagRemote

/// A set of definitions in etcd: watched, published atomically, with the history of all revisions.
///
/// ```swift
/// let settings = try EtcdSettings(endpoints: ["https://etcd-0:2379", "https://etcd-1:2379"])
/// let store = EtcdDefinitionStore(set: "production", settings: settings)
/// ```
///
/// - *Keys.* `PREFIX/SET/head` names the revision that servers run, and `PREFIX/SET/head/text` is the newest text if it
///   has at most 64 KiB: these are watched. The texts are chunks under `PREFIX/SET/documents/SHA256/`, which never
///   change; `PREFIX/SET/revisions/` is the history, and `PREFIX/SET/servers/` has the servers' reports. A publisher
///   writes the chunks first, and then the head and the history's entry in one transaction, which also writes a small
///   text.
/// - *Following.* The head is read from one member, which works without a quorum, and then watched there. If that
///   member fails, ends the watch or is silent, the store continues at the next one, from its current state. A lagging
///   member reverts nothing. A change is adopted 100 ms after the previous one at the earliest; of a burst the last one
///   counts.
/// - *Failures.* The last good definitions stay. Subscribers receive a failure if no member answers, if etcd refuses,
///   or if the set cannot be served.
///
/// It follows until it is closed or released. All members may be used from any thread.
public final class EtcdDefinitionStore: DefinitionHistory, MaintainedDefinitionStore {
  /// The prefix and the set's name.
  public var name: String { content.name }
  /// The format of the published definitions.
  public var format: any DefinitionFormat { content.format }
  let content: EtcdSet
  private let author: String
  private let tasks: Locked<[Task<Void, Never>]>

  /// Creates a store, which starts to follow the set at once.
  ///
  /// - Parameters:
  ///   - name: The name of the set.
  ///   - server: The name of this process, unique among those that follow the set: it decides whether the process runs
  ///     a candidate, and its revision is reported under it. With nil it runs no candidate, and reports nothing.
  ///   - settings: The members, the limits and the cache.
  ///   - format: The format of the published documents.
  public convenience init(
    set name: String, server: String? = nil, settings: EtcdSettings, format: any DefinitionFormat = .inHouse
  ) {
    self.init(
      set: name, server: server, settings: settings, format: format,
      environment: ServiceEnvironment(settings.certificates))
  }

  package init(
    set name: String, server: String? = nil, settings: EtcdSettings, format: any DefinitionFormat = .inHouse,
    environment: ServiceEnvironment
  ) {
    let content = EtcdSet(
      name, server: server, settings: settings, format: format, environment: environment)
    self.content = content
    author = settings.credentials?.user ?? server ?? "unknown"
    var tasks = [Task { await content.follow() }]
    if let reporter = content.reporter { tasks.append(Task { await reporter.run() }) }
    self.tasks = Locked(tasks)
  }

  /// Returns when all definitions read so far are written to the cache.
  package func waitForWrites() async { await content.waitForWrites() }

  deinit { for task in tasks.withLock({ $0 }) { task.cancel() } }

  /// Stops following and reporting, and withdraws the report; the current definitions stay.
  ///
  /// It waits at most two seconds for etcd's answer. A server that ends without it is listed as absent.
  public func close() async {
    let tasks = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    await content.reporter?.withdraw()
  }

  // MARK: Following

  /// The definitions that this server runs, or ran last; with a cache those of an earlier run, until etcd has answered.
  public var current: StoredDefinitions? { content.updates.current }

  /// The definitions, their origin, and the reason why they may be stale.
  public var status: DefinitionStatus { content.status }

  /// Reads the set from a quorum of the members, and waits for the result.
  ///
  /// - Throws: The reason why it cannot be read or served; the current definitions stay in use.
  public func refresh() async throws(DefinitionStoreError) {
    do throws(EtcdError) {
      try await content.readAtQuorum()
    } catch {
      throw DefinitionStoreError(.unreadable, store: name, "\(error)")
    }
    if let failure = content.updates.failure { throw failure }
  }

  /// Passes new definitions and failures to a closure, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    content.updates.subscribe(onUpdate)
  }

  /// Publishes a document to all servers, if the version that the caller has seen is still current.
  ///
  /// Its author is etcd's user, or the server.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let definitions = try StoredDefinitions(parsing: text, format: content.format, of: name)
    let note = PublicationNote(author: author)
    return try await content.publish(definitions, percent: nil, note: note) {
      [name] reading throws(DefinitionStoreError) in
      let head = try content.head(in: reading)?.published
      if let candidate = head?.candidate {
        let found = "revision \(candidate.revision.number) on \(candidate.percent) % of the servers"
        throw DefinitionStoreError(.conflict, store: name, "expected no candidate, found \(found)")
      }
      let found = head?.revision.version
      guard found == version else { throw DefinitionStoreError(conflictIn: name, expected: version, found: found) }
    }.definitions
  }

  // MARK: Publishing

  /// The head, which names the revisions that servers run, as a quorum of the members has it.
  public func head() async throws(DefinitionStoreError) -> PublishedHead? {
    try await content.readHead().head?.published
  }

  /// The published revisions, newest first.
  public func history(limit: Int) async throws(DefinitionStoreError) -> [PublishedRevision] {
    guard limit > 0 else { return [] }
    return try await content.reading { () throws(EtcdError) in
      try await content.history(limit: limit).map(\.published)
    }
  }

  /// The document of one revision; nil if there is no such revision, or it was pruned.
  public func text(of revision: Int) async throws(DefinitionStoreError) -> [UInt8]? {
    try await content.reading { () throws(EtcdError) in try await content.text(of: revision) }
  }

  /// Publishes definitions as a new revision, in one transaction.
  @discardableResult
  public func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, percent: Int?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    try await content.publish(definitions, percent: percent, note: note) {
      [name] reading throws(DefinitionStoreError) in
      let found = try content.head(in: reading)?.published
      guard found == head else { throw DefinitionStoreError(conflictIn: name, expected: head, found: found) }
    }.head
  }

  /// Changes the candidate's share; 100 makes it the head's revision, 0 withdraws it.
  @discardableResult
  package func stage(percent: Int, expecting head: PublishedHead) async throws(DefinitionStoreError) -> PublishedHead {
    try await content.stage(percent: percent, expecting: head)
  }

  /// Removes the documents and notes of all but the newest revisions; those that the head names always stay.
  @discardableResult
  package func prune(keeping count: Int) async throws(DefinitionStoreError) -> [Int] {
    try await content.prune(keeping: count)
  }

  /// The reports of the servers of the set, by name.
  package func servers() async throws(DefinitionStoreError) -> [ServerReport] {
    try await content.reading { () throws(EtcdError) in
      [ServerReport](try await content.client.all(.prefix(content.keys.servers)), content.keys)
    }
  }

  // MARK: Maintaining

  /// Returns the keys of the set that cannot be used, with the reasons.
  package func brokenParts() async throws(DefinitionStoreError) -> [BrokenPart] {
    try await content.reading { () throws(EtcdError) in try await content.brokenParts() }
  }

  /// Publishes definitions to all servers in place of a head that cannot be read.
  @discardableResult
  package func replaceBrokenHead(
    with definitions: StoredDefinitions, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    try await content.publish(definitions, percent: nil, note: note) {
      [name] reading throws(DefinitionStoreError) in
      guard reading.problem != nil else {
        throw DefinitionStoreError(brokenHeadExpectedIn: name, found: reading.head?.published)
      }
    }.head
  }

  /// Compacts etcd, defragments its members one after the other, and clears the alarm of a used-up quota.
  ///
  /// That is for the whole cluster, not for this set alone, and requires etcd's role root if etcd has users.
  @discardableResult
  package func reclaimSpace() async throws(DefinitionStoreError) -> Int64 {
    let (freed, problems) = await content.client.reclaimSpace()
    guard problems.isEmpty else { throw content.failure(.notWritten, problems.joined(separator: "; ")) }
    return freed
  }

  /// Removes an absent server from the list of servers.
  @discardableResult
  package func forget(server: String) async throws(DefinitionStoreError) -> Bool {
    let keys = content.keys
    return try await content.writing { () throws(EtcdError) in
      let entries = try await content.client.all(.prefix(keys.servers))
      guard let entry = entries.first(where: { keys.server(of: $0.key) == server }) else { return false }
      let outcome = try await content.client.transact(
        where: [.modRevision(entry.key, entry.modRevision), .isMissing(keys.presence(server))],
        [.delete(.key(entry.key))])
      return outcome.isWritten
    }
  }
}

package import FlagDefinitions
package import FlagDomain
package import FlagPublishing

/// A store of published definitions in memory, for tests and previews.
package final class InMemoryPublishedStore: MaintainedDefinitionStore {
  /// The name of the store in messages.
  package let name: String
  /// The name of the server that the store belongs to; nil for one that never runs candidates.
  package let server: String?
  /// The format of the published definitions.
  package let format: any DefinitionFormat
  private let author: String
  private let now: @Sendable () -> Int64
  private let set: InMemorySet
  private let updates = DefinitionUpdates()

  /// Creates a store in which nothing has been published.
  ///
  /// - Parameters:
  ///   - name: The name of the store in messages.
  ///   - server: The name of the server that the store belongs to: it decides whether the server runs a candidate, and
  ///     identifies its reports. Nil for a store that does neither.
  ///   - author: The author of revisions that are published by replacing the document.
  ///   - format: The format of the published definitions.
  ///   - now: A closure that returns the time in seconds since 1970-01-01 00:00 UTC.
  package convenience init(
    name: String = "in memory", server: String? = nil, author: String = "in memory",
    format: any DefinitionFormat = .inHouse, now: @escaping @Sendable () -> Int64
  ) {
    self.init(InMemorySet(name), name: name, server: server, author: author, format: format, now: now)
  }

  private init(
    _ set: InMemorySet, name: String, server: String?, author: String, format: any DefinitionFormat,
    now: @escaping @Sendable () -> Int64
  ) {
    self.name = name
    self.server = server
    self.author = author
    self.format = format
    self.now = now
    self.set = set
    set.follow(self) { [weak self] in self?.update() }
    update()
  }

  deinit { set.unfollow(self, server: server) }

  /// Returns a store of the same set for another server or another author.
  package func store(server: String? = nil, author: String? = nil) -> InMemoryPublishedStore {
    InMemoryPublishedStore(set, name: name, server: server, author: author ?? self.author, format: format, now: now)
  }

  /// Records a server's report, as if the server had written it into the store.
  package func report(_ report: ServerReport) { set.report(report) }

  private func update() {
    guard set.isFollowed(by: self) else { return }
    updates.notify { [set, server] _ in set.definitions(for: server).map(Result.success) }
    guard let server, let current, let revision = Int(current.version.rawValue) else { return }
    set.report(ServerReport(name: server, revision: revision, timestamp: now()), by: self)
  }

  /// The definitions that the store's server runs.
  package var current: StoredDefinitions? { updates.current }

  /// Calls a closure with every update of the definitions that the store's server runs, until the subscription ends.
  package func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Publishes a document to all servers, if they run the version that the caller has seen.
  @discardableResult
  package func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let definitions = try StoredDefinitions(parsing: text, format: format, of: name)
    let note = PublicationNote(author: author)
    let head = try set.change { [name, now] log throws(DefinitionStoreError) in
      guard log.head?.revision.version == version, log.head?.candidate == nil else {
        throw DefinitionStoreError(
          .conflict, store: name,
          "expected \(version.map { "revision \($0) alone" } ?? "nothing published")"
            + ", found \(log.head.map { "\($0)" } ?? "nothing")")
      }
      return try log.publish(definitions, expecting: log.head, percent: nil, note: note, at: now())
    }
    return StoredDefinitions(definitions, version: head.revision.version)
  }

  /// Returns the head, which servers are to run; nil until something is published.
  package func head() async throws(DefinitionStoreError) -> PublishedHead? { set.log.head }

  /// Returns the published revisions, newest first.
  package func history(limit: Int) async throws(DefinitionStoreError) -> [PublishedRevision] {
    Array(set.log.revisions.prefix(limit))
  }

  /// Returns the document of one revision; nil if there is no revision with that number.
  package func text(of revision: Int) async throws(DefinitionStoreError) -> [UInt8]? {
    set.log.definitions(of: revision)?.text
  }

  /// Publishes definitions as a new revision.
  @discardableResult
  package func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, percent: Int?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    let definitions = try definitions.read(as: format, of: name)
    return try set.change { [now] log throws(DefinitionStoreError) in
      try log.publish(definitions, expecting: head, percent: percent, note: note, at: now())
    }
  }

  /// Changes the candidate's share; 100 makes it the head's revision, 0 withdraws it.
  @discardableResult
  package func stage(percent: Int, expecting head: PublishedHead) async throws(DefinitionStoreError) -> PublishedHead {
    try set.change { log throws(DefinitionStoreError) in try log.stage(percent: percent, expecting: head) }
  }

  /// Removes all revisions except the newest ones and those that the head refers to.
  @discardableResult
  package func prune(keeping count: Int) async throws(DefinitionStoreError) -> [Int] {
    try set.change { log throws(DefinitionStoreError) in try log.prune(keeping: count) }
  }

  /// Returns the reports of the set's servers, sorted by name.
  package func servers() async throws(DefinitionStoreError) -> [ServerReport] { set.reports }

  /// Stops following the set, and withdraws the server's report; the current definitions stay.
  package func close() async { set.unfollow(self, server: server) }

  // MARK: - Maintaining

  /// Returns an empty array: nothing breaks in memory.
  package func brokenParts() async throws(DefinitionStoreError) -> [BrokenPart] { [] }

  /// Throws a conflict, because a head in memory can always be read.
  @discardableResult
  package func replaceBrokenHead(
    with definitions: StoredDefinitions, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    throw DefinitionStoreError(brokenHeadExpectedIn: name, found: set.log.head)
  }

  /// Returns zero: memory is released at once.
  @discardableResult
  package func reclaimSpace() async throws(DefinitionStoreError) -> Int64 { 0 }

  /// Removes an absent server from the list of servers.
  @discardableResult
  package func forget(server: String) async throws(DefinitionStoreError) -> Bool { set.forget(server) }
}

/// The state that several stores of a set share, and the closures that notify them of changes.
private final class InMemorySet: Sendable {
  private struct State {
    var log: PublishedLog
    var reports: [String: ServerReport] = [:]
    var followers: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let state: Locked<State>

  init(_ name: String) { state = Locked(State(log: PublishedLog(store: name))) }

  var log: PublishedLog { state.withLock { $0.log } }
  var reports: [ServerReport] { state.withLock { $0.reports.values.sorted { $0.name < $1.name } } }

  func definitions(for server: String?) -> StoredDefinitions? {
    let log = log
    return log.head.flatMap { log.definitions(of: $0.revision(for: server).number) }
  }

  func change<Answer: Sendable>(
    _ body: (inout PublishedLog) throws(DefinitionStoreError) -> Answer
  ) throws(DefinitionStoreError) -> Answer {
    let (answer, followers) = try state.withLock { state throws(DefinitionStoreError) in
      (try body(&state.log), Array(state.followers.values))
    }
    for follower in followers { follower() }
    return answer
  }

  func report(_ report: ServerReport) { state.withLock { $0.reports[report.name] = report } }

  /// Takes the report of a store, unless it was closed.
  func report(_ report: ServerReport, by store: InMemoryPublishedStore) {
    state.withLock { if $0.followers[ObjectIdentifier(store)] != nil { $0.reports[report.name] = report } }
  }

  func forget(_ server: String) -> Bool {
    state.withLock { state in
      guard state.reports[server]?.isAbsent == true else { return false }
      state.reports[server] = nil
      return true
    }
  }

  func isFollowed(by store: InMemoryPublishedStore) -> Bool {
    state.withLock { $0.followers[ObjectIdentifier(store)] != nil }
  }

  func follow(_ store: InMemoryPublishedStore, _ onChange: @escaping @Sendable () -> Void) {
    state.withLock { $0.followers[ObjectIdentifier(store)] = onChange }
  }

  func unfollow(_ store: InMemoryPublishedStore, server: String?) {
    state.withLock { state in
      // Once: after it was closed, another store may report under the name.
      guard state.followers.removeValue(forKey: ObjectIdentifier(store)) != nil, let server else { return }
      state.reports[server] = nil
    }
  }
}

public import FlagDefinitions
public import FlagDomain
public import FlagFoundation

/// A store of definitions in a file whose last states are kept in a folder beside it.
///
/// Each state has a number, an author, a reason and a time. A state that someone else wrote to the file is kept as
/// "changed outside" once it is seen. The document is written before its state counts, and if the program is killed in
/// between, the next one finds out; so the newest state is always that of the file. Writers of several processes take
/// turns.
public final class FileDefinitionHistory: DefinitionHistory {
  /// The file's path, from the root.
  public var name: String { file.name }
  /// The document's format.
  public let format: any DefinitionFormat
  private let file: FileDefinitionStore
  private let states: HistoryFolder
  private let author: String
  private let now: @Sendable () -> Int64
  private let updates: DefinitionUpdates
  /// The newest revision that was seen.
  private let newest: Locked<PublishedRevision?>
  private let subscription = Locked<FlagSubscription?>(nil)
  /// The number of writes here, and whether the file was found to be another one meanwhile.
  private let writes = Locked((count: 0, hasMissed: false))

  /// The default number of states that are kept.
  public static let usualCount = 50

  /// Reads a file, keeps its state if it is not yet kept, and follows it.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - folder: The folder of the states, which is created; nil for one of the file's name and `.history` beside it.
  ///   - count: The maximum number of states to keep, at least one.
  ///   - author: The author of documents that are replaced without a note.
  ///   - format: The document's format.
  ///   - polling: The time between two looks at the file.
  ///   - now: Returns the time, in seconds since 1970-01-01 UTC.
  /// - Throws: An error with the reason why the file cannot be read or served, or its state not be kept.
  public init(
    following file: URL, in folder: URL? = nil, keeping count: Int = usualCount, author: String = "unknown",
    format: any DefinitionFormat = .inHouse, polling: Duration = .seconds(1), now: @escaping @Sendable () -> Int64
  ) throws(DefinitionStoreError) {
    self.file = try FileDefinitionStore(following: file, format: format, polling: polling)
    states = HistoryFolder(in: folder ?? Self.folder(beside: file), keeping: max(1, count))
    (self.author, self.format, self.now) = (author, format, now)
    updates = DefinitionUpdates()
    newest = Locked(nil)
    try settle()
    try begin()
    let following = self.file.subscribe { [weak self] in self?.follow($0) }
    subscription.withLock { $0 = following }
  }

  /// Returns the folder beside a file that has its states.
  package static func folder(beside file: URL) -> URL { file.appendingPathExtension("history") }

  deinit { subscription.withLock { $0 }?.cancel() }

  // MARK: - The document

  /// The last document of the file that could be served; its version is the number of its state.
  public var current: StoredDefinitions? { updates.current }

  /// The last document of the file that could be served, and the reason why a later one could not.
  public var status: DefinitionStatus { updates.status }

  /// Reads the file again.
  public func refresh() async throws(DefinitionStoreError) {
    try await file.refresh()
    if let failure = updates.failure { throw failure }
  }

  /// Calls a closure for each change or failure of the file, until the subscription ends.
  public func subscribe(
    _ onUpdate: @escaping @Sendable (Result<StoredDefinitions, DefinitionStoreError>) -> Void
  ) -> FlagSubscription {
    updates.subscribe(onUpdate)
  }

  /// Replaces the file, if its state still has the number that the caller has seen.
  @discardableResult
  public func replace(
    with text: [UInt8], expecting version: DefinitionVersion?
  ) async throws(DefinitionStoreError) -> StoredDefinitions {
    let new = try StoredDefinitions(parsing: text, format: format, of: name)
    let note = PublicationNote(author: author)
    let written = try await write(new, note) { [name] found throws(DefinitionStoreError) in
      guard found?.version == version else {
        throw DefinitionStoreError(conflictIn: name, expected: version, found: found?.version)
      }
    }
    return StoredDefinitions(new, version: written.version)
  }

  // MARK: - The history

  /// The state of the file.
  public func head() async throws(DefinitionStoreError) -> PublishedHead? {
    try await elsewhere { [self] () throws(DefinitionStoreError) in try self.settle() }.map {
      PublishedHead(revision: $0)
    }
  }

  /// The states that are kept, newest first.
  public func history(limit: Int) async throws(DefinitionStoreError) -> [PublishedRevision] {
    try await elsewhere { [self] () throws(DefinitionStoreError) in
      try self.settle()
      var revisions: [PublishedRevision] = []
      for number in try states.numbers().suffix(max(0, limit)).reversed() {
        // Another process may have removed an old one just now.
        if let revision = try states.revision(number) { revisions.append(revision) }
      }
      return revisions
    }
  }

  /// The document of one state; nil if it is not kept.
  public func text(of revision: Int) async throws(DefinitionStoreError) -> [UInt8]? {
    try await elsewhere { [states] () throws(DefinitionStoreError) in try states.text(revision) }
  }

  /// Replaces the file, and keeps its new state.
  @discardableResult
  public func publish(
    _ definitions: StoredDefinitions, expecting head: PublishedHead?, note: PublicationNote
  ) async throws(DefinitionStoreError) -> PublishedHead {
    let new = try definitions.read(as: format, of: name)
    let written = try await write(new, note) { [name] found throws(DefinitionStoreError) in
      let found = found.map { PublishedHead(revision: $0) }
      guard found == head else { throw DefinitionStoreError(conflictIn: name, expected: head, found: found) }
    }
    return PublishedHead(revision: written)
  }

  // MARK: - Keeping states

  /// Keeps the file's state if it is not yet kept.
  ///
  /// A text that cannot be served is no state.
  ///
  /// - Parameter isCurrent: Whether the file was read just now; if not, it is read again if it has another state.
  /// - Returns: The newest state; nil if there is none.
  /// - Throws: An error if the file cannot be read, or its state not be kept.
  @discardableResult
  private func settle(whenRead isCurrent: Bool = false) throws(DefinitionStoreError) -> PublishedRevision? {
    let found = try states.locked { () throws(DefinitionStoreError) in
      guard let text = try file.text() else { return newest.withLock { $0 } }
      do throws(DefinitionStoreError) {
        return try settled(text)
      } catch {
        guard error.code == .invalid else { throw error }
        return newest.withLock { $0 }
      }
    }
    if !isCurrent, let found, file.current.map({ "\($0.version)" }) != found.fingerprint { file.reload() }
    notify()
    return found
  }

  /// Tells of the newest state if another process wrote it after the file was read here.
  private func begin() throws(DefinitionStoreError) {
    guard updates.current == nil, let revision = newest.withLock({ $0 }), let text = try states.text(revision.number)
    else { return }
    let definitions = try StoredDefinitions(parsing: text, format: format, of: name)
    updates.notify(.success(StoredDefinitions(definitions, version: revision.version)))
  }

  /// Returns the state that a text of the file is, which is kept if it is not yet.
  ///
  /// - Throws: `INVALID` if the text cannot be served.
  private func settled(_ text: [UInt8]) throws(DefinitionStoreError) -> PublishedRevision {
    let revision = try states.settled(text, at: now()) { () throws(DefinitionStoreError) in
      _ = try StoredDefinitions(parsing: text, format: format, of: name)
    }
    newest.withLock { $0 = revision }
    return revision
  }

  /// Takes an update of the file: another state, which is kept, or a failure.
  private func follow(_ update: Result<StoredDefinitions, DefinitionStoreError>) {
    do throws(DefinitionStoreError) {
      let definitions = try update.get()
      // The state of a text that is being written here is known, and its lock is held. A text of another writer is
      // looked at once the lock is not held here any more.
      if newest.withLock({ $0?.fingerprint }) == "\(definitions.version)" {
        notify()
      } else if !isWriting() {
        try settle(whenRead: true)
      }
    } catch {
      updates.notify(.failure(error))
    }
  }

  /// Returns whether a write is in progress here, which looks at the file again at its end.
  private func isWriting() -> Bool {
    writes.withLock { writes in
      writes.hasMissed = writes.count > 0
      return writes.hasMissed
    }
  }

  private func endWrite() {
    let hasMissed = writes.withLock { writes in
      writes.count -= 1
      guard writes.count == 0, writes.hasMissed else { return false }
      writes.hasMissed = false
      return true
    }
    guard hasMissed else { return }
    do throws(DefinitionStoreError) { try settle() } catch { updates.notify(.failure(error)) }
  }

  /// Tells subscribers of the file as it is now, if its state is known.
  private func notify() {
    updates.notify { _ in
      guard file.status.failure == nil, let current = file.current, let revision = newest.withLock({ $0 }),
        revision.fingerprint == "\(current.version)"
      else { return nil }
      return .success(StoredDefinitions(current, version: revision.version))
    }
  }

  /// Replaces the file on a thread of its own, if a closure does not object to its state.
  private func write(
    _ new: StoredDefinitions, _ note: PublicationNote,
    _ check: @escaping @Sendable (PublishedRevision?) throws(DefinitionStoreError) -> Void
  ) async throws(DefinitionStoreError) -> PublishedRevision {
    try await elsewhere { [self] () throws(DefinitionStoreError) in
      writes.withLock { $0.count += 1 }
      defer { endWrite() }
      let written = try readingAgainAfterConflict { () throws(DefinitionStoreError) in
        try states.locked { () throws(DefinitionStoreError) in
          let text = try file.text()
          let found = try text.map { text throws(DefinitionStoreError) in try settled(text) }
          try check(found)
          let number = try states.number(after: states.numbers().last)
          let revision = HistoryFolder.revision(number, new.text, note, now())
          try replace(revision, new, over: text.map { DefinitionVersion(of: $0) }, found)
          return revision
        }
      }
      notify()
      guard let written else {
        throw DefinitionStoreError(.notWritten, store: name, "expected a revision that was written, found none")
      }
      return written
    }
  }

  /// Runs a closure; if others have written first, the status is that of the file as they have left it.
  private func readingAgainAfterConflict<Value>(
    _ body: () throws(DefinitionStoreError) -> Value
  ) throws(DefinitionStoreError) -> Value {
    do throws(DefinitionStoreError) {
      return try body()
    } catch {
      if error.code == .conflict { file.reload() }
      throw error
    }
  }

  private func replace(
    _ revision: PublishedRevision, _ new: StoredDefinitions, over version: DefinitionVersion?,
    _ found: PublishedRevision?
  ) throws(DefinitionStoreError) {
    try states.prepare(revision, new.text)
    // The file notifies of the new text before this returns, and its state is found here.
    newest.withLock { $0 = revision }
    do throws(DefinitionStoreError) {
      try file.replaceHere(with: new, expecting: version)
    } catch {
      newest.withLock { $0 = found }
      try states.settle(revision.number, isDocument: false)
      throw error
    }
    try states.settle(revision.number, isDocument: true)
  }
}

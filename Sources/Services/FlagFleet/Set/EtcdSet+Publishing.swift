import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagPublishing
import FlagSupport

extension EtcdSet {
  /// Runs an operation that reads, and converts its error to one of reading.
  func reading<Value: Sendable>(
    _ work: () async throws(EtcdError) -> Value
  ) async throws(DefinitionStoreError) -> Value {
    do throws(EtcdError) { return try await work() } catch {
      if let part = part(error) { throw DefinitionStoreError(part, store: name) }
      throw failure(.unreadable, "\(error)")
    }
  }

  /// Runs an operation that writes, and converts its error to one of writing.
  func writing<Value: Sendable>(
    _ work: () async throws(EtcdError) -> Value
  ) async throws(DefinitionStoreError) -> Value {
    do throws(EtcdError) { return try await work() } catch { throw failure(.notWritten, "\(error)") }
  }
}

// MARK: Publishing

extension EtcdHead {
  /// Creates the head of a new revision: for all servers, or as a candidate for a share of them.
  fileprivate init(publishing revision: EtcdRevision, percent: Int?, over old: EtcdHead?) {
    if let percent, let old {
      self.init(
        revision: old.revision, candidate: Candidate(revision: revision, percent: percent), write: revision.write)
    } else {
      self.init(revision: revision, write: revision.write)
    }
  }
}

extension EtcdSet {
  /// Publishes definitions on the basis of the head that the publisher has seen.
  ///
  /// The closure receives the current head, and throws if it may not be replaced.
  func publish(
    _ definitions: StoredDefinitions, percent: Int?, note: PublicationNote,
    validate: (Reading) throws(DefinitionStoreError) -> Void
  ) async throws(DefinitionStoreError) -> (head: PublishedHead, definitions: StoredDefinitions) {
    let definitions = try definitions.read(as: format, of: name)
    let text = definitions.text
    try self.validate(text, percent: percent)
    let fingerprint = SHA256.hex(of: text)
    let chunks = max(1, (text.count + Self.chunkSize - 1) / Self.chunkSize)
    for _ in 0..<5 {
      let (seen, last) = try await reading { () throws(EtcdError) in try await readToPublish() }
      try validate(seen)
      let revision = EtcdRevision(
        number: try await number(after: seen, last), fingerprint: fingerprint, author: note.author, reason: note.reason,
        timestamp: now,
        chunks: chunks, size: text.count, write: .unique())
      let head = EtcdHead(publishing: revision, percent: percent, over: seen.head)
      let (pieces, texts) = try await writing { () throws(EtcdError) in try await prepare(text, of: revision) }
      let key = keys.revision(revision.number)
      // If it is not written, chunks that no revision named yet have been pruned: they are written again.
      if let written = try await swap(
        head, for: seen, also: [.isMissing(key)] + pieces, [.put(key, revision.bytes)] + texts, witness: key)
      {
        let published = StoredDefinitions(definitions, version: revision.published.version)
        await take(written, knowing: published)
        return (written.head.published, published)
      }
    }
    throw failure(.notWritten, "the document's pieces were removed again and again while it was published")
  }

  /// Returns the number of the next revision, which has to be one that revisions can have.
  private func number(after seen: Reading, _ last: EtcdEntry?) async throws(DefinitionStoreError) -> Int {
    let number = try await reading { () throws(EtcdError) in try await nextNumber(after: seen, last) }
    guard EtcdRevision.numbers ~= number else {
      throw failure(.notWritten, "expected a number for the next revision, found that all are used up")
    }
    return number
  }

  private func validate(_ text: [UInt8], percent: Int?) throws(DefinitionStoreError) {
    if let percent, !(1...99).contains(percent) {
      throw DefinitionStoreError(percent: percent, in: 1...99, store: name)
    }
    let limit = min(client.settings.sizeLimit, Self.chunkLimit * Self.chunkSize)
    guard text.count <= limit else {
      throw failure(.notWritten, "expected a document of \(limit) bytes at most, found \(text.count)")
    }
  }

  /// Prepares a text; returns the conditions for writing the head, and the operations to perform with it.
  ///
  /// The chunks of a large text are written before; a small one is written with the head, and so reaches all watchers.
  private func prepare(
    _ text: [UInt8], of revision: EtcdRevision
  ) async throws(EtcdError) -> ([EtcdComparison], [EtcdOperation]) {
    let fingerprint = revision.fingerprint
    if text.count <= Self.smallSize {
      return ([], [.put(keys.chunk(0, of: fingerprint), text), .put(keys.text, text)])
    }
    try await write(text, as: revision)
    return ((0..<revision.chunks).map { .exists(keys.chunk($0, of: fingerprint)) }, [.delete(.key(keys.text))])
  }

  /// Changes the share of the candidate on the basis of the head that the publisher has seen.
  func stage(percent: Int, expecting expected: PublishedHead) async throws(DefinitionStoreError) -> PublishedHead {
    guard (0...100).contains(percent) else {
      throw DefinitionStoreError(percent: percent, in: 0...100, store: name)
    }
    let seen = try await reading { () throws(EtcdError) in try await headToPublish() }
    guard let old = seen.head, old.published == expected, let candidate = old.candidate else {
      throw DefinitionStoreError(conflictIn: name, expected: expected, found: seen.head?.published)
    }
    var head = EtcdHead(revision: old.revision, write: .unique())
    switch percent {
    case 0: break
    case 100: head.revision = candidate.revision
    default: head.candidate = EtcdHead.Candidate(revision: candidate.revision, percent: percent)
    }
    guard let written = try await swap(head, for: seen, also: [], [], witness: nil) else {
      throw failure(.notWritten, "etcd wrote nothing, though the head is the one that was expected")
    }
    await take(written, knowing: nil)
    return written.head.published
  }

  /// Adopts a written head at once; if the document cannot be fetched now, the watch will deliver it.
  private func take(_ written: Written, knowing definitions: StoredDefinitions?) async {
    do throws(EtcdError) {
      try await adopt(Reading(head: written.head, modRevision: written.modRevision), knowing: definitions)
    } catch {
      fail(error)
    }
  }

  // MARK: Swapping the head

  /// The head after a write, which a later one may have replaced, and its revision of etcd.
  private typealias Written = (head: EtcdHead, modRevision: Int64)

  /// Writes a head if the seen one is still current, and finds out whether it was written if etcd does not answer.
  ///
  /// The witness is the key of a revision that is written with the head, and identifies the writer later on.
  ///
  /// - Returns: The written head; nil if the seen head is still current, and a further condition does not hold.
  /// - Throws: A conflict if another head is current.
  private func swap(
    _ head: EtcdHead, for seen: Reading, also conditions: [EtcdComparison], _ writes: [EtcdOperation],
    witness: String?
  ) async throws(DefinitionStoreError) -> Written? {
    let isUncertain = Locked(false)
    let queries = [EtcdQuery.key(keys.head)] + (witness.map { [.key($0)] } ?? [])
    let ranges: [EtcdRange]
    var refusal: EtcdError?
    do throws(EtcdError) {
      let outcome = try await client.transact(
        where: [.modRevision(keys.head, seen.modRevision)] + conditions,
        [.put(keys.head, head.bytes)] + writes, else: queries
      ) { error in
        if !error.isCertain { isUncertain.withLock { $0 = true } }
      }
      if outcome.isWritten { return (head, outcome.revision) }
      ranges = outcome.ranges
    } catch {
      guard isUncertain.withLock({ $0 }) else { throw failure(.notWritten, "\(error)") }
      ranges = try await readAgain(queries, after: error)
      if !error.isTransient { refusal = error }
    }
    let (found, isOurs) = try writer(of: head, in: ranges, of: queries)
    if isOurs, let now = found.head { return (now, found.modRevision) }
    guard found.modRevision == seen.modRevision else {
      let now = try self.head(in: found)
      throw DefinitionStoreError(conflictIn: name, expected: seen.head?.published, found: now?.published)
    }
    if let refusal { throw failure(.notWritten, "\(refusal)") }
    return nil
  }

  /// Returns the current head, and whether an attempt without an answer has written ours.
  private func writer(
    of head: EtcdHead, in ranges: [EtcdRange], of queries: [EtcdQuery]
  ) throws(DefinitionStoreError) -> (found: Reading, isOurs: Bool) {
    guard ranges.count == queries.count else { throw failure(.notWritten, "expected an answer of etcd, found another") }
    let found = Reading(ranges[0].entries.first)
    if found.head?.write == head.write { return (found, true) }
    guard let entry = ranges.dropFirst().first?.entries.first, case .success(let witness) = revision(entry) else {
      return (found, false)
    }
    return (found, witness.write == head.write)
  }

  /// Reads the state after a write without an answer.
  private func readAgain(
    _ queries: [EtcdQuery], after error: EtcdError
  ) async throws(DefinitionStoreError) -> [EtcdRange] {
    let unknown = failure(
      .notWritten, "etcd did not confirm the write, which may have happened: look at the history. \(error)")
    do throws(EtcdError) {
      return try await client.transact(where: [], queries.map { .range($0) }).ranges
    } catch {
      throw unknown
    }
  }
}

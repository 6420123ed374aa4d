import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagPublishing
import FlagSupport

/// Publishing, and reading for publishers: what others have damaged is named, and hides nothing else.
extension EtcdSet {
  /// The maximum number of chunks of a document: a transaction checks all of them, and etcd allows it 128 operations.
  private static let chunkLimit = 100

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
        timestamp: now, chunks: chunks, size: text.count, write: .unique())
      var head = EtcdHead(revision: revision, write: revision.write)
      if let percent, let old = seen.head {
        head.revision = old.revision
        head.candidate = EtcdHead.Candidate(revision: revision, percent: percent)
      }
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
    let chunks = (0..<revision.chunks).map { keys.chunk($0, of: revision.fingerprint) }
    if text.count <= Self.smallSize { return ([], [.put(chunks[0], text), .put(keys.text, text)]) }
    // Only those that etcd does not have, or has with another content.
    let there = Set(try await client.keys(.prefix(keys.document(revision.fingerprint))))
    for (number, key) in chunks.enumerated() {
      let chunk = Array(text.dropFirst(number * Self.chunkSize).prefix(Self.chunkSize))
      let found = there.contains(key) ? try await client.entry(key) : nil
      guard found?.value != chunk else { continue }
      _ = try await client.transact(where: [.modRevision(key, found?.modRevision ?? 0)], [.put(key, chunk)])
    }
    return (chunks.map { .exists($0) }, [.delete(.key(keys.text))])
  }

  /// Changes the share of the candidate on the basis of the head that the publisher has seen.
  func stage(percent: Int, expecting expected: PublishedHead) async throws(DefinitionStoreError) -> PublishedHead {
    guard (0...100).contains(percent) else {
      throw DefinitionStoreError(percent: percent, in: 0...100, store: name)
    }
    let seen = try await readHead()
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
      let unknown = failure(
        .notWritten, "etcd did not confirm the write, which may have happened: look at the history. \(error)")
      if !error.isTransient { refusal = error }
      do throws(EtcdError) { ranges = try await client.ranges(queries) } catch { throw unknown }
    }
    let found = Reading(ranges[0].entries.first)
    // An attempt without an answer may have written it, and the next publisher may have replaced it already.
    let witness = ranges.dropFirst().first?.entries.first.map { revision($0) }
    var isOurs = found.head?.write == head.write
    if case .success(let revision)? = witness, revision.write == head.write { isOurs = true }
    if isOurs, let now = found.head { return (now, found.modRevision) }
    guard found.modRevision == seen.modRevision else {
      let now = try self.head(in: found)
      throw DefinitionStoreError(conflictIn: name, expected: seen.head?.published, found: now?.published)
    }
    if let refusal { throw failure(.notWritten, "\(refusal)") }
    return nil
  }

  // MARK: Numbering

  /// Returns the number of the next revision: above all that can be read, and taken by no key.
  private func number(after seen: Reading, _ last: EtcdEntry?) async throws(DefinitionStoreError) -> Int {
    let number = try await reading { () throws(EtcdError) in
      let named = seen.named.map(\.number).max() ?? 0
      guard let last else { return named + 1 }
      if case .success(let newest) = revision(last) { return max(named, newest.number) + 1 }
      // Someone has written an entry that cannot be read: it blocks neither the numbers below it nor those above.
      return try await firstFreeNumber(from: max(named, try await lastReadableNumber()) + 1)
    }
    guard EtcdRevision.numbers ~= number else {
      throw failure(.notWritten, "expected a number for the next revision, found that all are used up")
    }
    return number
  }

  private func lastReadableNumber() async throws(EtcdError) -> Int {
    var last = 0
    try await client.visit(keys.newest) { entries in
      for case .success(let newest) in entries.map({ revision($0) }) {
        last = newest.number
        return false
      }
      return true
    }
    return last
  }

  private func firstFreeNumber(from start: Int) async throws(EtcdError) -> Int {
    var query = keys.numbered(from: start)
    query.isKeysOnly = true
    var free = start
    try await client.visit(query) { entries in
      for number in entries.compactMap({ keys.number(of: $0.key) }) {
        guard number == free else { return false }
        free += 1
      }
      return true
    }
    return free
  }

  // MARK: Reading

  /// Reads the state for a publisher from a quorum of the members: the head, and the last entry of the history.
  private func readToPublish() async throws(EtcdError) -> (seen: Reading, last: EtcdEntry?) {
    var last = keys.newest
    last.limit = 1
    let ranges = try await client.ranges([.key(keys.head), last])
    var seen = Reading(ranges[0].entries.first)
    if ranges[0].entries.isEmpty, !ranges[1].entries.isEmpty {
      seen.problem = .malformed("expected the head of a set with a history, found none", key: keys.head)
    }
    return (seen, ranges[1].entries.first)
  }

  /// Reads the head from a quorum of the members.
  ///
  /// - Throws: An error that names the key of a head that cannot be read.
  func readHead() async throws(DefinitionStoreError) -> Reading {
    let (seen, _) = try await reading { () throws(EtcdError) in try await readToPublish() }
    _ = try head(in: seen)
    return seen
  }

  /// Returns the head that a publisher is to replace.
  ///
  /// - Throws: An error that names the key of a head that cannot be read.
  func head(in reading: Reading) throws(DefinitionStoreError) -> EtcdHead? {
    if let part = reading.problem.flatMap({ part($0) }) { throw DefinitionStoreError(part, store: name) }
    return reading.head
  }

  /// Returns the newest revisions, newest first; what cannot be read is passed over.
  ///
  /// The head has its own copies of the revisions that servers run.
  func history(limit: Int) async throws(EtcdError) -> [EtcdRevision] {
    var revisions: [Int: EtcdRevision] = [:]
    for revision in Reading(try await client.entry(keys.head)).named { revisions[revision.number] = revision }
    var count = 0
    try await client.visit(keys.newest, page: min(500, limit)) { entries in
      for entry in entries {
        guard case .success(let revision) = revision(entry) else { continue }
        revisions[revision.number] = revisions[revision.number] ?? revision
        count += 1
      }
      return count < limit
    }
    return Array(revisions.values.sorted { $0.number > $1.number }.prefix(limit))
  }

  /// Parses an entry of the history, whose key says the same number.
  private func revision(_ entry: EtcdEntry) -> Result<EtcdRevision, EtcdError> {
    Result { () throws(EtcdError) in
      guard let number = keys.number(of: entry.key) else {
        throw .malformed("expected a number of 20 digits at its end", key: entry.key)
      }
      let revision = try EtcdRevision(entry)
      guard revision.number == number else {
        throw .malformed("expected revision \(number), found revision \(revision.number)", key: entry.key)
      }
      return revision
    }
  }

  /// Returns a revision by its number, as the head or the history has it; nil if it was never published, or pruned.
  ///
  /// - Throws: An error that names the key, if its entry in the history cannot be read.
  private func revision(_ number: Int) async throws(EtcdError) -> EtcdRevision? {
    let ranges = try await client.ranges([.key(keys.head), .key(keys.revision(number))])
    if let revision = Reading(ranges[0].entries.first).named.first(where: { $0.number == number }) { return revision }
    return try ranges[1].entries.first.map { entry throws(EtcdError) in try revision(entry).get() }
  }

  /// Returns the text of a revision; nil if there is no such revision, or it was pruned.
  ///
  /// - Throws: An error that names the key of a piece that is missing or not the published one.
  func text(of number: Int) async throws(EtcdError) -> [UInt8]? {
    guard let revision = try await revision(number) else { return nil }
    if let text = try await text(of: revision) { return text }
    // It may have been pruned meanwhile.
    guard try await self.revision(number) != nil else { return nil }
    throw try await problem(of: revision)
  }

  /// Returns the error that names the first piece of a document that is missing or of the wrong size.
  private func problem(of revision: EtcdRevision) async throws(EtcdError) -> EtcdError {
    for number in 0..<revision.chunks {
      let key = keys.chunk(number, of: revision.fingerprint)
      let isLast = number == revision.chunks - 1
      let size = isLast ? revision.size - number * Self.chunkSize : Self.chunkSize
      guard let piece = try await client.entry(key)?.value else {
        return .malformed(
          "expected piece \(number + 1) of \(revision.chunks) of revision \(revision.number), found none", key: key)
      }
      if piece.count != size {
        return .malformed(
          "expected \(size) bytes of revision \(revision.number), found \(piece.count) bytes", key: key)
      }
    }
    let key = keys.document(revision.fingerprint)
    let place = revision.chunks == 1 ? keys.chunk(0, of: revision.fingerprint) : key
    return .malformed("expected the document of revision \(revision.number), found another text", key: place)
  }

  // MARK: Checking

  /// Returns the parts of the set that cannot be used, by key.
  func brokenParts() async throws(EtcdError) -> [BrokenPart] {
    let seen = try await readToPublish().seen
    var broken = [seen.problem.flatMap { part($0) }]
    for revision in seen.named { broken.append(try await brokenDocument(of: revision)) }
    let inHead = Set(seen.named.map(\.number))
    // The pieces are listed after the revisions that name them, since a publisher writes them before.
    let entries = try await client.all(.prefix(keys.revisions))
    let pieces = Set(try await client.keys(.prefix(keys.documents)))
    for entry in entries {
      switch revision(entry) {
      case .failure(let error): broken.append(part(error, of: keys.number(of: entry.key)))
      case .success(let revision):
        let isWhole = (0..<revision.chunks).allSatisfy { pieces.contains(keys.chunk($0, of: revision.fingerprint)) }
        if isWhole || inHead.contains(revision.number) { continue }
        broken.append(try await incompleteDocument(of: revision))
      }
    }
    return broken.compactMap { $0 }.sorted { ($0.key, $0.problem) < ($1.key, $1.problem) }
  }

  /// Returns why the document of a revision that servers run cannot be served; nil if it can.
  private func brokenDocument(of revision: EtcdRevision) async throws(EtcdError) -> BrokenPart? {
    guard let text = try await text(of: revision) else { return try await incompleteDocument(of: revision) }
    do throws(DefinitionStoreError) {
      _ = try StoredDefinitions(parsing: text, format: format, of: name)
      return nil
    } catch {
      let problem = error.diagnostics.first.map { "\(error.message): \($0)" } ?? error.message
      return BrokenPart(
        .document, key: keys.document(revision.fingerprint), revision: revision.number, problem: problem)
    }
  }

  /// Returns the piece that a document lacks; nil if its revision was pruned meanwhile.
  private func incompleteDocument(of revision: EtcdRevision) async throws(EtcdError) -> BrokenPart? {
    let problem = try await problem(of: revision)
    do throws(EtcdError) {
      // Pruning removes the revision first, and then its document.
      guard try await self.revision(revision.number)?.fingerprint == revision.fingerprint else { return nil }
    } catch {
      guard part(error) != nil else { throw error }
    }
    return part(problem, of: revision.number)
  }

  /// Creates a part from the error of a key; nil if the error is not about one.
  private func part(_ error: EtcdError, of revision: Int? = nil) -> BrokenPart? {
    guard case .malformed(let problem, let key?) = error else { return nil }
    let kind: BrokenPart.Kind = key == keys.head ? .head : key.hasPrefix(keys.revisions) ? .entry : .document
    return BrokenPart(kind, key: key, revision: revision, problem: problem)
  }

  // MARK: Pruning

  /// The maximum number of keys and documents that a transaction removes.
  private static let batch = 40

  /// Removes all revisions except the newest and those that the head names, with the documents that no other one names.
  ///
  /// Entries of the history that cannot be read are removed, too. Each step requires an unchanged head: a revision that
  /// was published in the meantime loses nothing. If chunks of a document that is written but not yet published are
  /// removed, its publisher notices that, and writes them again.
  func prune(keeping count: Int) async throws(DefinitionStoreError) -> [Int] {
    guard count >= 1 else { throw failure(.notWritten, "expected to keep 1 revision or more, found \(count)") }
    var removed: Set<Int> = []
    attempts: for _ in 0..<10 {
      let seen = try await readHead()
      guard seen.head != nil else { return [] }
      let waste = try await reading { () throws(EtcdError) in
        try await self.waste(besides: seen.named, keeping: count)
      }
      for start in stride(from: 0, to: waste.count, by: Self.batch) {
        let batch = waste[start..<min(start + Self.batch, waste.count)]
        let outcome = try await writing { () throws(EtcdError) in
          try await client.transact(where: [.modRevision(keys.head, seen.modRevision)], batch.map { .delete($0) })
        }
        guard outcome.isWritten else { continue attempts }
        removed.formUnion(batch.compactMap { keys.number(of: $0.key) })
      }
      return removed.subtracting(seen.named.map(\.number)).sorted()
    }
    throw failure(.notWritten, "the set was published to again and again while it was pruned")
  }

  /// Returns the revisions to remove, and then the documents that no remaining one names.
  private func waste(besides named: [EtcdRevision], keeping count: Int) async throws(EtcdError) -> [EtcdQuery] {
    var kept = named
    var waste: [EtcdQuery] = []
    let numbers = Set(named.map(\.number))
    var readable = 0
    for entry in try await client.all(.prefix(keys.revisions)).reversed() {
      if case .success(let revision) = revision(entry) {
        readable += 1
        if readable <= count || numbers.contains(revision.number) {
          kept.append(revision)
          continue
        }
      }
      waste.append(.key(entry.key))
    }
    let documents = try await client.keys(.prefix(keys.documents)).compactMap {
      $0.dropFirst(keys.documents.count).split(separator: "/").first.map(String.init)
    }
    return waste + Set(documents).subtracting(kept.map(\.fingerprint)).sorted().map { .prefix(keys.document($0)) }
  }
}

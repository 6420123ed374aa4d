import FlagDefinitions
import FlagDomain
import FlagPublishing

/// Reading for publishers: what others have damaged is named, and hides nothing else.
extension EtcdSet {
  /// Reads the state for a publisher from a quorum of the members: the head, and the last entry of the history.
  func readToPublish() async throws(EtcdError) -> (seen: Reading, last: EtcdEntry?) {
    var last = keys.numbered
    last.isDescending = true
    last.limit = 1
    let ranges = try await client.transact(where: [], [.range(.key(keys.head)), .range(last)]).ranges
    guard ranges.count == 2 else { throw .unreadable("\(ranges.count) ranges instead of two") }
    var seen = Reading(ranges[0].entries.first)
    if ranges[0].entries.isEmpty, !ranges[1].entries.isEmpty {
      seen.problem = .malformed("expected the head of a set with a history, found none", key: keys.head)
    }
    return (seen, ranges[1].entries.first)
  }

  /// Reads the head from a quorum of the members.
  ///
  /// - Throws: An error that names the key of a head that cannot be read.
  func headToPublish() async throws(EtcdError) -> Reading {
    let (reading, _) = try await readToPublish()
    if let problem = reading.problem { throw problem }
    return reading
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
    for revision in Reading(try await client.range(.key(keys.head)).entries.first).named {
      revisions[revision.number] = revision
    }
    var query = keys.numbered
    query.isDescending = true
    var count = 0
    try await client.visit(query, page: min(500, limit)) { entries in
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
  func revision(_ entry: EtcdEntry) -> Result<EtcdRevision, EtcdError> {
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
  func revision(_ number: Int) async throws(EtcdError) -> EtcdRevision? {
    let ranges = try await client.transact(
      where: [], [.range(.key(keys.head)), .range(.key(keys.revision(number)))]
    ).ranges
    guard ranges.count == 2 else { throw .unreadable("\(ranges.count) ranges instead of two") }
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
  func problem(of revision: EtcdRevision) async throws(EtcdError) -> EtcdError {
    for number in 0..<revision.chunks {
      let key = keys.chunk(number, of: revision.fingerprint)
      let isLast = number == revision.chunks - 1
      let size = isLast ? revision.size - number * Self.chunkSize : Self.chunkSize
      guard let piece = try await client.range(.key(key)).entries.first?.value else {
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
}

extension EtcdSet.Reading {
  /// The revisions that the head names; empty if there is none, or it cannot be read.
  var named: [EtcdRevision] { [head?.revision, head?.candidate?.revision].compactMap { $0 } }
}

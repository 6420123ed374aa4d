import FlagDefinitions
import FlagDomain
import FlagPublishing

extension EtcdSet {
  /// Returns the parts of the set that cannot be used, by key.
  func brokenParts() async throws(EtcdError) -> [BrokenPart] {
    let (reading, _) = try await readToPublish()
    var broken = [reading.problem.flatMap { part($0) }].compactMap { $0 }
    for revision in reading.named {
      if let part = try await brokenDocument(of: revision) { broken.append(part) }
    }
    let inHead = Set(reading.named.map(\.number))
    var others: [EtcdRevision] = []
    for entry in try await client.all(.prefix(keys.revisions)) {
      switch revision(entry) {
      case .success(let revision): if !inHead.contains(revision.number) { others.append(revision) }
      case .failure(let error):
        if let part = part(error, of: keys.number(of: entry.key)) { broken.append(part) }
      }
    }
    for revision in try await incomplete(others) {
      if let part = try await incompleteDocument(of: revision) { broken.append(part) }
    }
    return broken.sorted { ($0.key, $0.problem) < ($1.key, $1.problem) }
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

  /// Returns the revisions whose documents lack a piece.
  private func incomplete(_ revisions: [EtcdRevision]) async throws(EtcdError) -> [EtcdRevision] {
    var query = EtcdQuery.prefix(keys.documents)
    query.isKeysOnly = true
    let there = Set(try await client.all(query).map(\.key))
    return revisions.filter { revision in
      !(0..<revision.chunks).allSatisfy { there.contains(keys.chunk($0, of: revision.fingerprint)) }
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
  func part(_ error: EtcdError, of revision: Int? = nil) -> BrokenPart? {
    guard case .malformed(let problem, let key?) = error else { return nil }
    let kind: BrokenPart.Kind = key == keys.head ? .head : key.hasPrefix(keys.revisions) ? .entry : .document
    return BrokenPart(kind, key: key, revision: revision, problem: problem)
  }
}

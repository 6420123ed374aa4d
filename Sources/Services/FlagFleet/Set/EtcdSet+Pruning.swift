import FlagDefinitions

extension EtcdSet {
  private typealias Waste = (revisions: [String], documents: [String])

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
    for _ in 0..<10 {
      let seen = try await reading { () throws(EtcdError) in try await headToPublish() }
      guard seen.head != nil else { return [] }
      let waste: Waste = try await reading { () throws(EtcdError) in
        try await self.waste(besides: seen.named, keeping: count)
      }
      let operations =
        waste.revisions.map { EtcdOperation.delete(.key($0)) }
        + waste.documents.map { .delete(.prefix(keys.document($0))) }
      var isDone = true
      for start in stride(from: 0, to: operations.count, by: Self.batch) {
        let batch = Array(operations[start..<min(start + Self.batch, operations.count)])
        let outcome = try await writing { () throws(EtcdError) in
          try await client.transact(where: [.modRevision(keys.head, seen.modRevision)], batch)
        }
        guard outcome.isWritten else {
          isDone = false
          break
        }
        removed.formUnion(waste.revisions.dropFirst(start).prefix(Self.batch).compactMap { keys.number(of: $0) })
      }
      if isDone { return removed.subtracting(seen.named.map(\.number)).sorted() }
    }
    throw failure(.notWritten, "the set was published to again and again while it was pruned")
  }

  /// Returns the keys of the revisions to remove, and the documents that no remaining one names.
  private func waste(besides named: [EtcdRevision], keeping count: Int) async throws(EtcdError) -> Waste {
    var kept = named
    var old: [String] = []
    let numbers = Set(named.map(\.number))
    let entries = try await client.all(.prefix(keys.revisions))
    var readable = 0
    for entry in entries.reversed() {
      guard case .success(let revision) = revision(entry) else {
        old.append(entry.key)
        continue
      }
      if readable < count || numbers.contains(revision.number) {
        kept.append(revision)
      } else {
        old.append(entry.key)
      }
      readable += 1
    }
    let used = Set(kept.map(\.fingerprint))
    var query = EtcdQuery.prefix(keys.documents)
    query.isKeysOnly = true
    var documents: Set<String> = []
    for entry in try await client.all(query) {
      guard let name = entry.key.dropFirst(keys.documents.count).split(separator: "/").first else { continue }
      if !used.contains(String(name)) { documents.insert(String(name)) }
    }
    return (old, documents.sorted())
  }
}

package import FlagDefinitions
package import FlagPublishing

extension EtcdDefinitionStore {
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
    let client = content.client
    var freed: Int64 = 0
    var problems: [String] = []
    var isCompacted = false
    for member in 0..<client.memberCount {
      do throws(EtcdError) {
        let before = try await client.size(of: member)
        if !isCompacted { try await client.compact(to: before.revision, at: member) }
        isCompacted = true
        try await client.defragment(member)
        freed += max(0, before.bytes - (try await client.size(of: member)).bytes)
      } catch {
        problems.append("\(client.name(of: member)) is not defragmented: \(error)")
      }
    }
    do throws(EtcdError) { try await client.clearSpaceAlarms() } catch {
      problems.append("the alarm of the quota is not cleared: \(error)")
    }
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

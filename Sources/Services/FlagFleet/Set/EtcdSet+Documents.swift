import FlagDefinitions
import Foundation

extension EtcdSet {
  /// The maximum size of a chunk in bytes: well below the 1.5 MiB that etcd accepts in a request.
  static let chunkSize = 512 << 10
  /// The maximum number of chunks of a document: a transaction checks all of them, and etcd allows it 128 operations.
  static let chunkLimit = 100
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
    let fingerprint = revision.fingerprint
    guard revision.size <= client.settings.sizeLimit else {
      throw .unreadable("a document of \(revision.size) bytes, above the limit of \(client.settings.sizeLimit)")
    }
    if let known, revision.names(known) { return known }
    var text: [UInt8] = []
    text.reserveCapacity(revision.size)
    for number in 0..<revision.chunks {
      let key = keys.chunk(number, of: fingerprint)
      guard let chunk = try await chunk(key, from: member) else { return nil }
      text += chunk
      guard text.count <= revision.size else { return nil }
    }
    return revision.names(text) ? text : nil
  }

  private func chunk(_ key: String, from member: Int?) async throws(EtcdError) -> [UInt8]? {
    var query = EtcdQuery.key(key)
    if let member {
      query.isSerializable = true
      do throws(EtcdError) {
        let answer = try await client.ask(
          "kv/range", query.body, at: member, timeout: client.settings.timeout, needsLeader: false)
        if let entry = try EtcdRange(answer).entries.first { return entry.value }
      } catch {
        guard error.isTransient else { throw error }
      }
      query.isSerializable = false
    }
    return try await client.range(query).entries.first?.value
  }

  /// Writes the chunks of a document that etcd does not have, or has with another content.
  func write(_ text: [UInt8], as revision: EtcdRevision) async throws(EtcdError) {
    var query = EtcdQuery.prefix(keys.document(revision.fingerprint))
    query.isKeysOnly = true
    let there = Set(try await client.range(query).entries.map(\.key))
    for number in 0..<revision.chunks {
      let key = keys.chunk(number, of: revision.fingerprint)
      let start = number * Self.chunkSize
      let chunk = Array(text[start..<min(start + Self.chunkSize, text.count)])
      let found = there.contains(key) ? try await client.range(.key(key)).entries.first : nil
      guard found?.value != chunk else { continue }
      _ = try await client.transact(where: [.modRevision(key, found?.modRevision ?? 0)], [.put(key, chunk)])
    }
  }
}

import FlagDefinitions
import FlagDomain
import FlagPublishing

/// The published revisions of one set and its head: the logic of a published store, without storage.
struct PublishedLog: Sendable {
  private struct Entry {
    let revision: PublishedRevision
    let definitions: StoredDefinitions
  }

  let store: String
  private(set) var head: PublishedHead?
  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0

  init(store: String) { self.store = store }

  var revisions: [PublishedRevision] { entries.values.map(\.revision).sorted { $0.number > $1.number } }

  func definitions(of revision: Int) -> StoredDefinitions? { entries[revision]?.definitions }

  mutating func publish(
    _ definitions: StoredDefinitions, expecting expected: PublishedHead?, percent: Int?, note: PublicationNote,
    at timestamp: Int64
  ) throws(DefinitionStoreError) -> PublishedHead {
    if let percent, !(1...99).contains(percent) {
      throw DefinitionStoreError(percent: percent, in: 1...99, store: store)
    }
    try check(expected)
    lastNumber += 1
    let revision = PublishedRevision(
      number: lastNumber, fingerprint: DefinitionVersion(of: definitions.text).rawValue, note: note,
      timestamp: timestamp)
    entries[lastNumber] = Entry(
      revision: revision, definitions: StoredDefinitions(definitions, version: revision.version))
    guard let percent, let stable = head?.revision else { return set(PublishedHead(revision: revision)) }
    return set(
      PublishedHead(revision: stable, candidate: StagedRevision(revision: revision, percent: percent)))
  }

  mutating func stage(percent: Int, expecting expected: PublishedHead) throws(DefinitionStoreError) -> PublishedHead {
    guard (0...100).contains(percent) else { throw DefinitionStoreError(percent: percent, in: 0...100, store: store) }
    try check(expected)
    guard var candidate = expected.candidate else {
      throw DefinitionStoreError(.conflict, store: store, "expected a candidate, found \(expected) alone")
    }
    switch percent {
    case 0: return set(PublishedHead(revision: expected.revision))
    case 100: return set(PublishedHead(revision: candidate.revision))
    default:
      candidate.percent = percent
      return set(PublishedHead(revision: expected.revision, candidate: candidate))
    }
  }

  mutating func prune(keeping count: Int) throws(DefinitionStoreError) -> [Int] {
    guard count > 0 else {
      throw DefinitionStoreError(.notWritten, store: store, "expected to keep 1 revision or more, found \(count)")
    }
    let named = [head?.revision.number, head?.candidate?.revision.number]
    let old = revisions.dropFirst(count).map(\.number).filter { !named.contains($0) }.sorted()
    for number in old { entries[number] = nil }
    return old
  }

  private func check(_ expected: PublishedHead?) throws(DefinitionStoreError) {
    guard expected == head else { throw DefinitionStoreError(conflictIn: store, expected: expected, found: head) }
  }

  private mutating func set(_ head: PublishedHead) -> PublishedHead {
    self.head = head
    return head
  }
}

import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
package import FlagPublishing
package import Testing

/// The contract of stores of published definitions, as checks that any store's tests can run.
///
/// ```swift
/// @Test("Meets the contract of every store of published definitions")
/// func meetsContract() async throws {
///   let store = InMemoryPublishedStore { 0 }
///   try await PublishedDefinitionStoreContract(store) { store.store(server: $0) }.check()
/// }
/// ```
///
/// It publishes to the store, and waits for the store's updates: give the test a time limit. At its end, it also checks
/// ``DefinitionHistoryContract``; the store has definitions afterwards.
package struct PublishedDefinitionStoreContract: Sendable {
  let store: any PublishedDefinitionStore
  let server: @Sendable (String) async throws -> any PublishedDefinitionStore
  let note = PublicationNote(author: "contract", reason: "to see that it \"holds\" – ever")

  /// Creates the contract of a store.
  ///
  /// - Parameters:
  ///   - store: A store of a set in which nothing has been published; the store belongs to no server.
  ///   - server: A closure that creates a store of the same set for the server with a name.
  package init(
    _ store: any PublishedDefinitionStore,
    server: @escaping @Sendable (String) async throws -> any PublishedDefinitionStore
  ) {
    self.store = store
    self.server = server
  }

  /// Checks the whole contract; each violation is an issue at the caller's line.
  ///
  /// - Throws: The errors of publishing to the store, and of creating the stores of servers.
  package func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await checkFirst(sourceLocation)
    try await checkConflict(sourceLocation)
    try await checkRefusal(sourceLocation)
    try await checkReplacing(sourceLocation)
    try await checkNotifications(sourceLocation)
    try await checkStaging(sourceLocation)
    try await checkReplacedCandidate(sourceLocation)
    try await checkReports(sourceLocation)
    try await checkRace(sourceLocation)
    try await checkPruning(sourceLocation)
    if let store = store as? any MaintainedDefinitionStore { try await checkMaintaining(store, sourceLocation) }
    try await DefinitionHistoryContract(store).check(sourceLocation: sourceLocation)
  }

  func text(_ value: String) -> [UInt8] {
    Array(#"{"flags": {"a": {"state": "ENABLED", "variants": {"on": "\#(value)"}, "defaultVariant": "on"}}}"#.utf8)
  }

  func head(_ location: SourceLocation) async throws -> PublishedHead {
    try #require(try await store.head(), sourceLocation: location)
  }

  @discardableResult
  func publish(
    _ value: String, percent: Int? = nil, _ location: SourceLocation
  ) async throws -> PublishedHead {
    try await store.publish(text(value), expecting: try await store.head(), percent: percent, note: note)
  }

  func expect<Answer>(
    _ code: DefinitionStoreError.Code, _ comment: Comment, _ location: SourceLocation,
    _ body: () async throws -> Answer
  ) async {
    let error = await #expect(throws: DefinitionStoreError.self, comment, sourceLocation: location) {
      _ = try await body()
    }
    #expect(error?.code == code, comment, sourceLocation: location)
  }

  // MARK: - Publishing

  /// Checks that the first revision of an empty store goes to all servers.
  private func checkFirst(_ location: SourceLocation) async throws {
    #expect(try await store.head() == nil, "nothing has been published yet", sourceLocation: location)
    #expect(try await store.history(limit: 10) == [], sourceLocation: location)
    #expect(try await store.text(of: 1) == nil, sourceLocation: location)
    #expect(store.current == nil, sourceLocation: location)
    let head = try await store.publish(text("first"), expecting: nil, percent: 5, note: note)
    #expect(head.revision.number == 1, sourceLocation: location)
    #expect(head.candidate == nil, "the first revision goes to all", sourceLocation: location)
    #expect(head.revision.note == note, sourceLocation: location)
    #expect(!head.revision.fingerprint.isEmpty, sourceLocation: location)
    try await checkHead(head, history: [head.revision], location)
    #expect(try await store.text(of: 1) == text("first"), sourceLocation: location)
    #expect(try await store.text(of: 2) == nil, sourceLocation: location)
  }

  /// Checks that a publisher that has not seen the newest head changes nothing.
  private func checkConflict(_ location: SourceLocation) async throws {
    let first = try await head(location)
    let second = try await publish("second", location)
    #expect(second.revision.number == 2, sourceLocation: location)
    #expect(second.revision.fingerprint != first.revision.fingerprint, sourceLocation: location)
    var stranger = second
    stranger.revision.number = 17
    for head in [nil, first, stranger] {
      await expect(.conflict, "\(head.map { "\($0)" } ?? "nothing") is expected", location) {
        try await store.publish(text("lost"), expecting: head, percent: nil, note: note)
      }
    }
    await expect(.conflict, "there is no candidate", location) { try await store.stage(percent: 50, expecting: second) }
    try await checkHead(second, history: [second.revision, first.revision], location)
    #expect(try await store.history(limit: 1) == [second.revision], sourceLocation: location)
  }

  /// Checks that an invalid document, and an out-of-range percentage, are rejected.
  private func checkRefusal(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let history = try await store.history(limit: 10)
    await expect(.invalid, "a document that cannot be served", location) {
      try await store.publish(Array("{".utf8), expecting: before, percent: nil, note: note)
    }
    for percent in [-1, 0, 100] {
      await expect(.notWritten, "\(percent) % to begin with", location) {
        try await store.publish(text("lost"), expecting: before, percent: percent, note: note)
      }
    }
    await expect(.notWritten, "none is kept", location) { try await store.prune(keeping: 0) }
    try await checkHead(before, history: history, location)
  }

  /// Checks that the versions of the ``DefinitionStore`` port are the numbers of revisions.
  private func checkReplacing(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let stored = try await store.replace(with: text("replaced"), expecting: before.revision.version)
    let after = try await head(location)
    #expect(after.revision.number == before.revision.number + 1, sourceLocation: location)
    #expect(stored.version == after.revision.version, sourceLocation: location)
    #expect(stored.text == text("replaced"), sourceLocation: location)
    #expect(store.current?.version == stored.version, "what was replaced is seen at once", sourceLocation: location)
    await expect(.conflict, "replaced twice", location) {
      try await store.replace(with: text("lost"), expecting: before.revision.version)
    }
    #expect(try await store.text(of: after.revision.number) == text("replaced"), sourceLocation: location)
    #expect(try await head(location) == after, sourceLocation: location)
  }

  /// Checks that a subscriber receives each change once, and a new subscriber the current definitions first.
  private func checkNotifications(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let log = UpdateLog()
    let subscription = store.subscribe { log.add($0) }
    await log.wait { $0.last == before.revision.version }
    var expected: [DefinitionVersion?] = [before.revision.version]
    for value in ["first", "first", "second"] {
      let version = try await publish(value, location).revision.version
      await log.wait { $0.last == version }
      expected.append(version)
    }
    let candidate = try await publish("candidate", percent: 50, location)
    try await store.stage(percent: 0, expecting: candidate)
    let last = try await publish("last", location).revision.version
    await log.wait { $0.last == last }
    #expect(log.versions == expected + [last], "one notification for each change", sourceLocation: location)
    subscription.cancel()
  }

  private func checkHead(
    _ head: PublishedHead, history: [PublishedRevision], _ location: SourceLocation
  ) async throws {
    #expect(try await store.head() == head, sourceLocation: location)
    #expect(try await store.history(limit: 10) == history, sourceLocation: location)
  }

  // MARK: - Many publishers, many revisions

  /// Checks that the revisions of concurrent publishers are all in the history, each based on the one before it.
  private func checkRace(_ location: SourceLocation) async throws {
    let (publishers, rounds) = (2, 5)
    let start = try await publish("", location).revision.number
    try await withThrowingTaskGroup(of: Void.self) { group in
      for publisher in 0..<publishers {
        group.addTask {
          for _ in 0..<rounds { try await append("\(publisher)") }
        }
      }
      try await group.waitForAll()
    }
    let end = try await head(location).revision.number
    #expect(end == start + publishers * rounds, "every revision counts", sourceLocation: location)
    var letters = ""
    for number in start...end {
      let text = try await store.text(of: number)
      if let added = Self.letters(in: text)?.last { letters.append(added) }
      #expect(Self.letters(in: text) == letters, "revision \(number) keeps the one before it", sourceLocation: location)
    }
    for publisher in 0..<publishers {
      #expect(letters.count { "\($0)" == "\(publisher)" } == rounds, sourceLocation: location)
    }
  }

  /// Publishes the newest document with one more letter, and retries after a conflict.
  private func append(_ letter: String) async throws {
    while true {
      let head = try await store.head()
      var text: [UInt8]?
      if let head { text = try await store.text(of: head.revision.number) }
      do throws(DefinitionStoreError) {
        let new = self.text((Self.letters(in: text) ?? "") + letter)
        return _ = try await store.publish(new, expecting: head, percent: nil, note: note)
      } catch {
        guard error.code == .conflict else { throw error }
      }
    }
  }

  private static func letters(in text: [UInt8]?) -> String? {
    guard let text else { return nil }
    let value = String(decoding: text, as: UTF8.self).split(separator: ": \"").dropLast().last
    return value.map { String($0.prefix { $0 != "\"" }) }
  }

  /// Checks that the revisions that the head refers to are kept, however old they are.
  private func checkPruning(_ location: SourceLocation) async throws {
    let stable = try await publish("kept", location).revision
    var last = stable.number
    for percent in 1...4 {
      last = try #require(try await publish("try \(percent)", percent: percent, location).candidate).revision.number
    }
    let before = try await head(location)
    let removed = try await store.prune(keeping: 2)
    #expect(removed == Array(1..<stable.number) + [last - 3, last - 2], sourceLocation: location)
    let kept = try await store.history(limit: 100)
    #expect(kept.map(\.number) == [last, last - 1, stable.number], sourceLocation: location)
    #expect(try await store.text(of: last - 2) == nil, sourceLocation: location)
    #expect(try await store.text(of: stable.number) == text("kept"), sourceLocation: location)
    #expect(try await head(location) == before, sourceLocation: location)
    #expect(try await store.prune(keeping: 2) == [], sourceLocation: location)
    let next = try await store.stage(percent: 0, expecting: before)
    #expect(next.revision == stable, sourceLocation: location)
    #expect(try await publish("next", location).revision.number == last + 1, sourceLocation: location)
  }
}

import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import FlagPublishing
import Testing

extension PublishedDefinitionStoreContract {
  /// Returns the name of a server that runs a revision at a high percentage, but not at a low one.
  private func name(in revision: PublishedRevision, from low: Int, to high: Int) -> String {
    let (before, after) = (
      StagedRevision(revision: revision, percent: low), StagedRevision(revision: revision, percent: high)
    )
    return (0...).lazy.map { "server-\($0)" }.first { !before.includes(server: $0) && after.includes(server: $0) } ?? ""
  }

  /// Checks that a candidate runs on its share, which is widened, and then on all servers.
  func checkStaging(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let staged = try await publish("candidate", percent: 10, location)
    let candidate = try #require(staged.candidate, sourceLocation: location)
    #expect(staged.revision == before.revision, "the others keep what they run", sourceLocation: location)
    #expect(candidate.percent == 10, sourceLocation: location)
    #expect(candidate.revision.number == before.revision.number + 1, sourceLocation: location)
    #expect(try await store.history(limit: 1) == [candidate.revision], sourceLocation: location)
    let (early, late) = (
      try await server(name(in: candidate.revision, from: 0, to: 10)),
      try await server(name(in: candidate.revision, from: 10, to: 60))
    )
    try await wait(for: candidate.revision, in: early)
    try await wait(for: before.revision, in: late)
    #expect(
      store.current?.version == before.revision.version, "an editor sees what was tried", sourceLocation: location)
    for version in [before.revision.version, candidate.revision.version] {
      await expect(.conflict, "a candidate is out", location) {
        try await store.replace(with: text("lost"), expecting: version)
      }
    }
    await expect(.conflict, "another head", location) { try await store.stage(percent: 60, expecting: before) }
    for percent in [-1, 101] {
      await expect(.notWritten, "\(percent) %", location) { try await store.stage(percent: percent, expecting: staged) }
    }
    try await checkWidening(staged, early: early, late: late, location)
  }

  /// Checks that a widened share keeps its servers, and that a share of 100 % becomes the head's revision.
  private func checkWidening(
    _ staged: PublishedHead, early: any PublishedDefinitionStore, late: any PublishedDefinitionStore,
    _ location: SourceLocation
  ) async throws {
    let candidate = try #require(staged.candidate, sourceLocation: location)
    let wide = try await store.stage(percent: 60, expecting: staged)
    #expect(wide.candidate == StagedRevision(revision: candidate.revision, percent: 60), sourceLocation: location)
    try await wait(for: candidate.revision, in: late)
    #expect(early.current?.version == candidate.revision.version, "it keeps its servers", sourceLocation: location)
    let all = try await store.stage(percent: 100, expecting: wide)
    #expect(all == PublishedHead(revision: candidate.revision), sourceLocation: location)
    try await wait(for: candidate.revision, in: store)
    #expect(try await head(location) == all, sourceLocation: location)
    #expect(try await store.text(of: all.revision.number) == text("candidate"), sourceLocation: location)
  }

  /// Checks that a withdrawn or replaced candidate stays in the history, and that its number is not reused.
  func checkReplacedCandidate(_ location: SourceLocation) async throws {
    let before = try await head(location)
    let number = before.revision.number
    let withdrawn = try await store.stage(percent: 0, expecting: try await publish("a", percent: 99, location))
    #expect(withdrawn == before, sourceLocation: location)
    let second = try await publish("b", percent: 1, location)
    let third = try await publish("c", percent: 2, location)
    #expect(second.candidate?.revision.number == number + 2, sourceLocation: location)
    #expect(third.candidate?.revision.number == number + 3, "a candidate replaces another", sourceLocation: location)
    #expect(third.revision == before.revision, sourceLocation: location)
    let all = try await publish("d", location)
    #expect(all.candidate == nil, "what goes to all ends a candidate", sourceLocation: location)
    let history = try await store.history(limit: 5)
    #expect(history.map(\.number) == (number...number + 4).reversed(), sourceLocation: location)
    for (offset, value) in ["a", "b", "c", "d"].enumerated() {
      #expect(try await store.text(of: number + 1 + offset) == text(value), sourceLocation: location)
    }
  }

  func checkReports(_ location: SourceLocation) async throws {
    let server = try await server("reporting")
    for value in ["reported", "reported again"] {
      let number = try await publish(value, location).revision.number
      while try await store.servers().first(where: { $0.name == "reporting" })?.revision != number {
        await Task.yield()
      }
    }
    let reports = try await store.servers()
    #expect(reports.first { $0.name == "reporting" }?.failure == nil, sourceLocation: location)
    #expect(reports.map(\.name) == reports.map(\.name).sorted(), sourceLocation: location)
    await server.close()
    let left = try await store.servers().map(\.name)
    #expect(!left.contains("reporting"), "a server that is closed has taken its report back", sourceLocation: location)
  }

  private func wait(for revision: PublishedRevision, in store: any DefinitionStore) async throws {
    let log = UpdateLog()
    let subscription = store.subscribe { log.add($0) }
    await log.wait { $0.last == revision.version }
    subscription.cancel()
  }
}

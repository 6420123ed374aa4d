import FlagDefinitions
import FlagDefinitionsTesting
import FlagPublishing
import TestSupport
import Testing

@Suite("Stores of published definitions", .timeLimit(.minutes(15)))
struct PublishedStoreTests {
  @Test("A store in memory meets the contract of every store of published definitions")
  func meetsContract() async throws {
    let store = InMemoryPublishedStore { 1_800_000_000 }
    try await PublishedDefinitionStoreContract(store) { store.store(server: $0) }.check()
    #expect(try await store.head()?.revision.timestamp == 1_800_000_000)
  }

  @Test("A server is forgotten when its store is, and may say that it failed")
  func reports() async throws {
    let store = InMemoryPublishedStore { 7 }
    do {
      let server = store.store(server: "b")
      #expect(try await store.servers() == [], "there is nothing to run yet")
      try await store.replace(with: Array(DefinitionStoreContract.document.utf8), expecting: nil)
      #expect(try await store.servers() == [ServerReport(name: "b", revision: 1, timestamp: 7)])
      withExtendedLifetime(server) {}
    }
    #expect(try await store.servers() == [])
    let failed = ServerReport(name: "a", revision: nil, failure: "no memory", timestamp: 8)
    store.report(failed)
    #expect(try await store.servers() == [failed])
  }

  @Test("A closed store takes its report back once: that of another store of its name stays")
  func closesOnce() async throws {
    let store = InMemoryPublishedStore { 7 }
    try await store.replace(with: Array(DefinitionStoreContract.document.utf8), expecting: nil)
    let report = ServerReport(name: "b", revision: 1, timestamp: 7)
    do {
      let closed = store.store(server: "b")
      #expect(try await store.servers() == [report])
      await closed.close()
      #expect(try await store.servers() == [])
      store.report(report)
      try await store.replace(with: Array(#"{"flags": {}}"#.utf8), expecting: store.current?.version)
      #expect(
        closed.current?.version.rawValue == "1" && store.current?.version.rawValue == "2",
        "a closed store stays as it is")
      withExtendedLifetime(closed) {}
    }
    #expect(try await store.servers() == [report])
  }

  @Test("Definitions of another format are read as the store's format reads them, or refused")
  func readsItsFormat() async throws {
    let store = InMemoryPublishedStore(format: LineFormat()) { 0 }
    let note = PublicationNote(author: "kim")
    let first = try await store.publish(Array("a = on".utf8), expecting: nil, percent: nil, note: note)
    #expect(store.current?.document.keys == ["a"])
    let foreign = try StoredDefinitions(parsing: Array(DefinitionStoreContract.document.utf8))
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await store.publish(foreign, expecting: first, percent: nil, note: note)
    }
    #expect(error?.code == .invalid)
    #expect(try await store.head() == first)
  }

  @Test("Who replaces a document is its author")
  func author() async throws {
    let store = InMemoryPublishedStore(author: "kim") { 0 }
    try await store.replace(with: Array(DefinitionStoreContract.document.utf8), expecting: nil)
    #expect(try await store.head()?.revision.note == PublicationNote(author: "kim"))
  }

  @Test("A head says which revisions it names")
  func saysHead() {
    #expect("\(PublishedHead(revision: revision(3)))" == "revision 3")
    #expect(
      "\(PublishedHead(revision: revision(3), candidate: staged(4, 10)))" == "revision 3 with candidate 4 on 10 %")
  }
}

@Suite("Shares of servers")
struct StagedRevisionTests {
  /// Computed by an implementation of murmur3 of another language: the hash modulo 100.
  static let places: [(number: Int, server: String, place: Int)] = [
    (1, "", 27), (1, "a", 28), (1, "web-1", 62), (1, "web-2", 91), (1, "server-12345", 26), (1, "höst", 46),
    (2, "", 78), (2, "a", 10), (2, "web-1", 94), (2, "web-2", 37), (2, "server-12345", 94), (2, "höst", 75),
    (7, "", 60), (7, "a", 43), (7, "web-1", 63), (7, "web-2", 45), (7, "server-12345", 78), (7, "höst", 24),
    (4_294_967_297, "web-1", 62),
  ]

  @Test("A server of a name runs a candidate from the same share on, always", arguments: places)
  func isStable(number: Int, server: String, place: Int) {
    for percent in 0...100 {
      #expect(staged(number, percent).includes(server: server) == (place < percent), "\(percent) %")
    }
    let head = PublishedHead(revision: revision(0), candidate: staged(number, place + 1))
    #expect(head.revision(for: server).number == number)
    #expect(head.revision(for: nil).number == 0, "who is no server takes no part")
  }

  @Test(
    "Of many servers as many as said run a candidate",
    arguments: [(1, 1), (1, 5), (1, 10), (1, 50), (1, 99), (2, 1), (2, 5), (7, 10), (7, 50)])
  func isUniform(number: Int, percent: Int) {
    let count = (0..<10_000).count { staged(number, percent).includes(server: "web-\($0)") }
    let share = Double(percent) / 100
    // Four standard deviations of a binomial distribution.
    #expect(abs(Double(count) - 10_000 * share) < 4 * (10_000 * share * (1 - share)).squareRoot())
  }

  @Test("The next candidate is tried on other servers")
  func isIndependent() {
    let both = (0..<10_000).count { index in
      [1, 2].allSatisfy { staged($0, 10).includes(server: "web-\(index)") }
    }
    #expect((60...140).contains(both), "1 % is expected")
  }
}

private func revision(_ number: Int) -> PublishedRevision {
  PublishedRevision(number: number, fingerprint: "", note: PublicationNote(author: "a"), timestamp: 0)
}

private func staged(_ number: Int, _ percent: Int) -> StagedRevision {
  StagedRevision(revision: revision(number), percent: percent)
}

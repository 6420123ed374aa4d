import FlagDefinitions
import FlagDefinitionsTesting
import FlagDomain
import Testing

@Suite("Stores of definitions", .timeLimit(.minutes(15)))
struct DefinitionStoreTests {
  @Test("A store in memory meets the contract of every store")
  func meetsContract() async throws {
    let store = try InMemoryDefinitionStore(DefinitionStoreContract.document)
    var contract = DefinitionStoreContract(store)
    contract.breakStore = { store.set("{") }
    contract.mendStore = { store.set($0) }
    try await contract.check()
  }

  @Test("A store without a document has none, notifies nobody, and takes a first one")
  func beginsEmpty() async throws {
    let store = try InMemoryDefinitionStore()
    let log = Log()
    let subscription = store.subscribe { log.add($0) }
    #expect(store.current == nil)
    #expect(log.entries.isEmpty)
    let stored = try await store.replace(with: Array(DefinitionStoreContract.document.utf8), expecting: nil)
    #expect(log.entries == ["\(stored.version)"])
    subscription.cancel()
  }

  @Test("A document that cannot be served makes no store, and says where it is wrong")
  func refusesBroken() {
    let error = #expect(throws: DefinitionStoreError.self) { try InMemoryDefinitionStore("{", name: "a") }
    #expect(
      error?.description == "a:1:2: error: $: expected a name in quotation marks, found the end of the document")
  }

  @Test("Merged stores follow each of them; a broken one keeps its last good definitions")
  func merges() throws {
    let (one, other) = (try InMemoryDefinitionStore(flag("a", 1)), try InMemoryDefinitionStore(flag("b", 1)))
    let merged = MergedDefinitionStore([one, other])
    let log = Log()
    let subscription = merged.subscribe { log.add($0) }
    #expect(values(merged) == ["a": 1, "b": 1])
    one.set(flag("b", 2))
    #expect(values(merged) == ["b": 1], "the later store counts")
    other.set("{")
    #expect(values(merged) == ["b": 1])
    other.set(flag("c", 3))
    #expect(values(merged) == ["b": 2, "c": 3])
    #expect(log.entries.count == 4)
    #expect(log.entries[2].hasPrefix("in memory:1:"))
    subscription.cancel()
  }

  @Test("Merged stores have nothing before each has something, and cannot be written as one")
  func waitsForAll() async throws {
    let (one, other) = (try InMemoryDefinitionStore(flag("a", 1)), try InMemoryDefinitionStore())
    let merged = MergedDefinitionStore([one, other])
    #expect(merged.current == nil)
    other.set(flag("b", 2))
    #expect(values(merged) == ["a": 1, "b": 2])
    let error = await #expect(throws: DefinitionStoreError.self) {
      try await merged.replace(with: Array(flag("c", 1).utf8), expecting: merged.current?.version)
    }
    #expect(error?.code == .notWritten)
  }

  @Test("A subscriber that writes during a notification is notified of that next, without a deadlock")
  func writesWhileTold() throws {
    let store = try InMemoryDefinitionStore(flag("a", 0))
    let log = Log()
    let subscription = store.subscribe { update in
      log.add(update)
      if log.entries.count < 4 { store.set(flag("a", log.entries.count)) }
    }
    #expect(log.entries.count == 4)
    #expect(values(store) == ["a": 3])
    subscription.cancel()
  }

  @Test("However many threads write, each subscriber ends on the newest definitions")
  func endsOnNewest() async throws {
    let store = try InMemoryDefinitionStore(flag("a", 0))
    let logs = (0..<4).map { _ in Log() }
    let subscriptions = logs.map { log in store.subscribe { log.add($0) } }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask { for number in 0..<50 { store.set(flag("a", task * 100 + number)) } }
      }
    }
    // A subscriber that was busy during a write is notified by its own thread, which has returned by now.
    for log in logs { #expect(log.entries.last == store.current.map { "\($0.version)" }) }
    for subscription in subscriptions { subscription.cancel() }
  }

  private func values(_ store: any DefinitionStore) -> [String: FlagValue] {
    guard let document = store.current?.document else { return [:] }
    var values: [String: FlagValue] = [:]
    for key in document.keys {
      do { values[key] = try document.evaluate(key, in: EvaluationContext(), at: 0)?.value } catch {
        Issue.record("\(error)")
      }
    }
    return values
  }
}

private func flag(_ key: String, _ number: Int) -> String {
  #"{"flags": {"\#(key)": {"state": "ENABLED", "variants": {"on": \#(number)}, "defaultVariant": "on"}}}"#
}

/// The notifications of a subscriber: versions, and errors as text.
private final class Log: Sendable {
  private let received = Locked<[String]>([])

  func add(_ update: Result<StoredDefinitions, DefinitionStoreError>) {
    received.withLock {
      switch update {
      case .success(let definitions): $0.append("\(definitions.version)")
      case .failure(let error): $0.append("\(error)")
      }
    }
  }

  var entries: [String] { received.withLock { $0 } }
}

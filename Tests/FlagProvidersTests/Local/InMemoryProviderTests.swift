import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("In-memory provider")
struct InMemoryProviderTests {
  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let provider = InMemoryProvider(["on": true, "list": [1, "two", .null], "null": .null])
    var contract = ProviderContract(
      provider, present: ["on": true, "list": [1, "two", .null], "null": .null], absent: "off")
    contract.change = .init(to: ["on": false, "new": 1, "list": nil as FlagValue?]) {
      provider.write(["on": false, "new": 1, "list": nil as FlagValue?])
    }
    try await contract.check()
  }

  @Test("A write of several keys is seen as a whole or not at all")
  func writesAtOnce() async {
    let provider = InMemoryProvider(["left": 0, "right": 0])
    await withTaskGroup { group in
      group.addTask {
        for number in 1...2000 { provider.write(["left": .int(Int128(number)), "right": .int(Int128(number))]) }
      }
      group.addTask {
        for _ in 1...2000 {
          let snapshot = provider.snapshot()
          #expect(snapshot.value(of: "left") == snapshot.value(of: "right"))
        }
      }
    }
    #expect(provider.snapshot().value(of: "left") == 2000)
  }

  @Test("Only keys whose values differ are announced, and nothing where none does")
  func tellsOfDifferences() {
    let provider = InMemoryProvider(["same": 1, "other": 1])
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    provider.write(["same": 1, "other": 2])
    provider.write(["same": 1])
    provider.write(nil, for: "same")
    #expect(received.events == [.some(["other"]), .some(["same"])])
    subscription.cancel()
    provider.write(3, for: "other")
    #expect(received.events.count == 2)
  }

  @Test("Meets the contract of every provider: with paths into its values")
  func descends() async throws {
    let provider = InMemoryProvider(["feed": ["page-size": 20, "list": [1, ["s": "x"]]], "on": true, "feed.a": 1])
    var contract = ProviderContract(
      provider, present: ["feed.page-size": 20, "feed.list.1.s": "x", "feed.a": 1], absent: "feed.other")
    contract.failing = ("feed.list.2", .typeMismatch)
    contract.change = .init(
      to: ["feed.page-size": 30, "feed.list.1.s": nil as FlagValue?, "feed.list.0": 2, "feed.new": 3, "feed.a": 4]
    ) {
      provider.write(["feed": ["page-size": 30, "list": [2, [:]], "new": 3], "feed.a": 4])
    }
    try await contract.check()
    #expect(throws: FlagError(.typeMismatch, "expected an object or an array at \"feed.new\", found integer")) {
      try provider.snapshot().answer(for: "feed.new.x", in: EvaluationContext())
    }
    // In a table a value without parts is another flag's, and in nobody's way.
    #expect(try provider.snapshot().answer(for: "on.x", in: EvaluationContext()) == nil)
  }

  @Test("What is removed is gone, also where a path leads to it, until what it is inside of is set again")
  func removesParts() {
    let provider = InMemoryProvider(["feed": ["page-size": 20, "list": [1, 2]]])
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    provider.write(["feed.page-size": nil, "feed.list.0": nil])
    #expect(received.events == [.some(["feed.page-size", "feed.list.0"])])
    #expect(["feed.page-size", "feed.list.0"].map { provider.snapshot().value(of: $0) } == [nil, nil])
    #expect(provider.snapshot().value(of: "feed.list.1") == 2)
    provider.write(30, for: "feed.page-size")
    #expect(provider.snapshot().value(of: "feed.page-size") == 30)
    provider.write(nil, for: "feed.page-size")
    provider.write(["feed": ["page-size": 40]])
    #expect(provider.snapshot().value(of: "feed.page-size") == 40)
    subscription.cancel()
  }

  @Test("Its values can be listed, and removed as a whole")
  func listsAndClears() {
    let provider = InMemoryProvider(["on": true, "feed": ["page-size": 20]])
    provider.write(["on": nil, "off": false])
    #expect(provider.values == ["feed": ["page-size": 20], "off": false])
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    provider.removeAll()
    #expect(provider.values == [:] && provider.snapshot().value(of: "feed.page-size") == nil)
    #expect(received.events == [.some(["feed", "feed.page-size", "off"])])
    subscription.cancel()
  }

  @Test("A write takes as long in a hundred thousand values as in a hundred")
  func writesAtAnySize() throws {
    func time(_ count: Int) throws -> Duration {
      let keys = try (0..<count).map { try #require(FlagKey(validating: "memory.at-any-size.\($0)")) }
      let provider = InMemoryProvider(Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) }))
      // The last snapshot shares its values with the next.
      let snapshot = Locked(provider.snapshot())
      let subscription = provider.subscribe { [weak provider] _ in
        if let next = provider?.snapshot() { snapshot.withLock { $0 = next } }
      }
      defer { subscription.cancel() }
      return (0..<5).map { round in
        ContinuousClock().measure {
          for number in 0..<200 { provider.write(.int(Int128(round + 1)), for: keys[number * 7919 % count]) }
        }
      }.min() ?? .zero
    }
    let (small, large) = (try time(100), try time(100_000))
    #expect(large < small * 20, "\(small) and \(large) for 200 writes")
  }

  #if compiler(>=6.3) && os(Linux)
    @Test("Ten thousand versions of ten thousand values share what did not change", .needs(.plainMemory))
    func sharesValues() async {
      await #expect(processExitsWith: .success) {
        func resident() throws -> Int {
          let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
          let line = try #require(lines.first { $0.hasPrefix("VmRSS:") })
          return try #require(Int(line.filter(\.isNumber))) * 1024
        }
        let keys = try (0..<10_000).map { try #require(FlagKey(validating: "memory.shared.\($0)")) }
        let before = try resident()
        let provider = InMemoryProvider(Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) }))
        let one = try resident() - before
        let versions = keys.map { key in
          provider.write(1, for: key)
          return provider.snapshot()
        }
        let all = try resident() - before
        // Each version has the key's path through the tree: some dozen entries on each of four levels.
        #expect(all < one * 3 / 2 + versions.count * 2048, "\(one) bytes for one version, \(all) for all")
        #expect(try versions[4999].answer(for: keys[4999], in: EvaluationContext())?.value == 1)
        #expect(try versions[4999].answer(for: keys[5000], in: EvaluationContext())?.value == 0)
      }
    }
  #endif

  @Test("Random writes give what a plain table gives, and name each key whose answer differs")
  func writesAtRandom() throws {
    var random = SeededGenerator(seed: 40)
    let names = ["a", "b", "a.x", "a.y", "a.x.z", "b.x", "c"] + (0..<60).map { "n\($0)" }
    let keys = try names.map { try #require(FlagKey(validating: $0)) }
    let values: [FlagValue?] = [nil, 1, 2, nil, ["x": 1, "y": 2], ["x": ["z": 3]], ["y": 4]]
    let provider = InMemoryProvider()
    let named = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { named.record($0) }
    var plain: [FlagKey: FlagValue] = [:]
    for step in 0..<2000 {
      let before = provider.snapshot()
      let count = named.events.count
      var changes: [FlagKey: FlagValue?] = [:]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let key = try #require(keys.randomElement(using: &random))
        changes[key] = .some(values[Int.random(in: values.indices, using: &random)])
      }
      provider.write(changes)
      for (key, value) in changes { plain[key] = value }
      #expect(provider.values == plain, "step \(step)")
      let differing = keys.filter { Self.answer(before, $0) != Self.answer(provider.snapshot(), $0) }
      let events = named.events.dropFirst(count)
      #expect(events.count <= 1 && differing.allSatisfy { events.first?.contains($0) == true }, "step \(step)")
    }
    subscription.cancel()
  }

  /// The value for a key; nil for none, and where the key leads through something without parts.
  private static func answer(_ snapshot: any ProviderSnapshot, _ key: FlagKey) -> FlagValue? {
    do throws(FlagError) {
      return try snapshot.answer(for: key, in: EvaluationContext())?.value
    } catch {
      return nil
    }
  }

  @Test("A subscriber may write to the provider that called it")
  func isReentrant() {
    let provider = InMemoryProvider()
    let subscription = provider.subscribe { keys in
      if keys == .some(["first"]) { provider.write(true, for: "second") }
    }
    provider.write(true, for: "first")
    #expect(provider.snapshot().value(of: "second") == true)
    subscription.cancel()
  }
}

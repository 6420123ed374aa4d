import FlagDefinitions
import FlagDomain
import FlagProviders
import Foundation
import Synchronization
import Testing

@testable import FlagComposition

@Suite("Contention")
struct ContentionTests {
  @Test(
    "Values of every kind are whole and never older than the last change, on any number of threads",
    arguments: [1, 2, 4, 8, 16])
  func readsWhileWritten(threads: Int) throws {
    let provider = InMemoryProvider(Self.values(0))
    let flags = try compose { provider }
    let race = Race()
    onThreads(threads + 1) { thread in
      if thread == threads {
        for number in 1...300 {
          provider.write(Self.values(number))
          race.progress.store(number, ordering: .releasing)
        }
        race.isDone.store(true, ordering: .releasing)
        return
      }
      while !race.isDone.load(ordering: .acquiring) {
        let before = race.progress.load(ordering: .acquiring)
        #expect(flags.manager.variation(for: Self.number) >= before)
        #expect(Self.isWhole([flags.manager.variation(for: Self.short)], since: before))
        #expect(Self.isWhole([flags.manager.variation(for: Self.long)], since: before))
        #expect(Self.isWhole(flags.manager.variation(for: Self.texts), since: before))
        #expect(Self.isWhole(flags.manager.variation(for: Self.layout).texts, since: before))
        let cut = flags.snapshots.snapshot()
        #expect(cut.variation(for: Self.texts) == cut.variation(for: Self.layout).texts)
        let request = flags.manager(for: FlagUser(id: "\(thread)"))
        #expect(request.variation(for: Self.texts) == request.variation(for: Self.layout).texts)
      }
    }
  }

  @Test(
    "Rules are evaluated for requests while their documents are replaced and let go of, on any number of threads",
    arguments: [1, 2, 4, 8])
  func evaluatesWhileReplaced(threads: Int) throws {
    let provider = InHouseProvider(try Self.document(0))
    let flags = try compose { provider.prefixed(with: "own") }
    let race = Race()
    onThreads(threads + 1) { thread in
      if thread == threads {
        for number in 1...100 {
          #expect(throws: Never.self) { provider.update(with: try Self.document(number)) }
          race.progress.store(number, ordering: .releasing)
        }
        race.isDone.store(true, ordering: .releasing)
        return
      }
      while !race.isDone.load(ordering: .acquiring) {
        let before = race.progress.load(ordering: .acquiring)
        let request = flags.manager(for: FlagUser(id: "\(thread)", countryCode: "es"))
        let values = (0..<4).map { request.variation(for: Flag(Self.name($0), default: -1, "")) }
        #expect(Set(values).count == 1 && values[0] >= before)
      }
    }
  }

  /// Four flags whose rules give the document's number.
  private static func document(_ number: Int) throws -> FlagDocument {
    let flags = (0..<4).map { flag in
      """
      "own.\(name(flag))": {"state": "ENABLED", "variants": {"a": -2, "b": \(number)}, "defaultVariant": "a",
      "targeting": {"if": [{"in": [{"var": "countryCode"}, ["de", "es", "a\(number)"]]}, "b", "a"]}}
      """
    }
    return try FlagDocument(parsing: Data("{\"flags\": {\(flags.joined(separator: ","))}}".utf8))
  }

  private static func name(_ flag: Int) -> FlagKey {
    ["a-flag-of-a-document-1", "a-flag-of-a-document-2", "a-flag-of-a-document-3", "a-flag-of-a-document-4"][flag]
  }

  @Test("No thread holds a state that is no longer the current one, however long it lives")
  func letsStatesGo() throws {
    let provider = ChangingProvider()
    let flags = try compose { provider }
    let (hasRead, mayEnd, ended) = (DispatchGroup(), DispatchSemaphore(value: 0), DispatchGroup())
    for _ in 0..<4 {
      hasRead.enter()
      ended.enter()
      Thread.detachNewThread {
        _ = flags.snapshots.snapshot().variation(for: Self.long)
        hasRead.leave()
        mayEnd.wait()
        ended.leave()
      }
    }
    #expect(hasRead.wait(timeout: .now() + 600) == .success)
    let last = { [weak state = provider.state] in state }
    provider.change()
    #expect(last() == nil)
    for _ in 0..<4 { mayEnd.signal() }
    #expect(ended.wait(timeout: .now() + 600) == .success)
  }

  @Test("A snapshot keeps what it resolves for the manager and for other snapshots of the same state")
  func keepsFromSnapshots() throws {
    let provider = CountingProvider()
    let flags = try compose { provider }
    let (one, other) = (flags.snapshots.snapshot(), flags.snapshots.snapshot())
    #expect(one.variation(for: Self.long) == "a value of more than fifteen bytes")
    #expect(other.variation(for: Self.long) == "a value of more than fifteen bytes")
    #expect(flags.manager.variation(for: Self.long) == "a value of more than fifteen bytes")
    #expect(provider.questions.load(ordering: .relaxed) == 1)
  }

  @Test("A default's storage is copied for each thread, and the value is the default")
  func keepsDefaults() throws {
    let flags = try compose {}
    let flag = Flag("missing-texts", default: ["a default of more than fifteen bytes"], "")
    let addresses = Locked<Set<Int>>([])
    onThreads(4) { _ in
      let value = flags.manager.variation(for: flag)
      #expect(value == flag.defaultValue)
      // The second read gives what the first one cached.
      let address = flags.manager.variation(for: flag).withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
      addresses.withLock { _ = $0.insert(address) }
    }
    #expect(addresses.withLock(\.count) == 4)
  }

  private static let number = Flag("number", default: 0, "")
  private static let short = Flag("short", default: "", "")
  private static let long = Flag("long", default: "", "")
  private static let texts = Flag("texts", default: [String](), "")
  private static let layout = Flag("layout", default: Layout(texts: []), "")

  private struct Layout: Decodable { var texts: [String] }

  private static func values(_ number: Int) -> [FlagKey: FlagValue] {
    let texts: FlagValue = .array((0..<4).map { _ in .string("\(number) and more than fifteen bytes") })
    return [
      "number": .int(Int128(number)), "short": .string("\(number) short"),
      "long": .string("\(number) and more than fifteen bytes"), "texts": texts, "layout": ["texts": texts],
    ]
  }

  /// Whether all texts are from one change, which is not older than another one.
  private static func isWhole(_ texts: [String], since number: Int) -> Bool {
    Set(texts).count == 1 && texts[0].split(separator: " ").first.flatMap { Int($0) } ?? -1 >= number
  }
}

/// A provider that counts its questions.
private final class CountingProvider: FlagProvider, ProviderSnapshot {
  let name = "counting"
  let questions = Atomic(0)

  func snapshot() -> any ProviderSnapshot { self }

  func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
    questions.add(1, ordering: .relaxed)
    return FlagAnswer("a value of more than fifteen bytes")
  }
}

/// A provider whose snapshots can be seen to go.
private final class ChangingProvider: FlagProvider {
  let name = "changing"
  private let content = Locked((state: Content(), onChange: (@Sendable (ChangedKeys) -> Void)?.none))

  final class Content: ProviderSnapshot {
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { nil }
  }

  var state: Content { content.withLock { $0.state } }

  func snapshot() -> any ProviderSnapshot { state }

  func subscribe(_ onChange: @escaping @Sendable (ChangedKeys) -> Void) -> FlagSubscription {
    content.withLock { $0.onChange = onChange }
    return FlagSubscription {}
  }

  func change() {
    let onChange = content.withLock { content in
      content.state = Content()
      return content.onChange
    }
    onChange?(.all)
  }
}

import FlagDefinitions
import FlagDomain
import FlagProviders
import FlagTesting
import Foundation
import TestSupport
import Testing

@Suite("A provider over definitions of another format", .timeLimit(.minutes(5)))
struct DefinitionFormatTests {
  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let store = try InMemoryDefinitionStore("a = on\nbroken = perhaps", format: LineFormat())
    var contract = ProviderContract(DefinitionStoreProvider(store), present: ["a": true], absent: "absent")
    contract.failing = ("broken", .parseError)
    contract.change = .init(to: ["a": false]) { store.set("a = off\nbroken = perhaps") }
    try await contract.check()
  }

  @Test("A document that cannot be read leaves the last one, and the status says where it is wrong")
  func keepsLast() throws {
    let store = try InMemoryDefinitionStore("a = on", format: LineFormat())
    let provider = DefinitionStoreProvider(store)
    store.set("a = off\nnothing")
    let answer = try provider.snapshot().answer(for: "a", in: EvaluationContext())
    #expect(answer?.value == true && answer?.reason == .stale)
    #expect(provider.providerStatus.error?.message.contains("2:1: error: $: expected \"=\", found none") == true)
  }

  @Test("Answers change when the time reaches an instant, and again when the clock is set back")
  func followsTime() throws {
    let time = ManualWallClock(0)
    let clock = WallClock(now: time.now, wake: time.wake(at:_:))
    let store = try InMemoryDefinitionStore("a = on until 100\nb = on", format: LineFormat())
    let provider = DefinitionStoreProvider(store, clock: clock)
    let changes = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { changes.record($0) }
    func value() throws -> FlagValue? { try provider.snapshot().answer(for: "a", in: EvaluationContext())?.value }
    #expect(try value() == true && time.alarms == [100])
    time.set(to: 100)
    #expect(try value() == false && changes.events == [.some(["a"])])
    time.set(to: 50)
    store.set("a = on until 100\nb = off")
    #expect(try value() == true && changes.events.last == .some(["a", "b"]))
    subscription.cancel()
  }

  @Test("A file of the format is read as any other")
  func readsFile() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("flags.txt", "a = on")
    #expect(try DocumentProvider(contentsOf: file, format: LineFormat()).document?.keys == ["a"])
  }
}

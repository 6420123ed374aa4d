import FlagDomain
import FlagProviders
import FlagTesting
import Synchronization
import Testing

@Suite("In-memory provider")
struct InMemoryProviderTests {
  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let provider = InMemoryProvider(["on": true, "list": [1, "two", nil], "null": nil])
    var contract = ProviderContract(
      provider, present: ["on": true, "list": [1, "two", nil], "null": nil], absent: "off")
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

  @Test("Only keys whose values differ are told of, and nothing where none does")
  func tellsOfDifferences() {
    let provider = InMemoryProvider(["same": 1, "other": 1])
    let told = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { told.record($0) }
    provider.write(["same": 1, "other": 2])
    provider.write(["same": 1])
    provider.write(nil, for: "same")
    #expect(told.events == [.some(["other"]), .some(["same"])])
    subscription.cancel()
    provider.write(3, for: "other")
    #expect(told.events.count == 2)
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

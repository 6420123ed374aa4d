import FlagDomain
import FlagProviders
import FlagTesting
import TestSupport
import Testing

@Suite("Closure provider")
struct ClosureProviderTests {
  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    var contract = ProviderContract(
      ClosureProvider { key, _ throws(FlagError) in
        if key == "broken" { throw FlagError(.general, "expected a working closure") }
        return key == "on" ? FlagAnswer(true) : nil
      }, present: ["on": true], absent: "off")
    contract.failing = ("broken", .general)
    try await contract.check()
  }

  @Test("The closure sees the context")
  func seesContext() {
    let provider = ClosureProvider { _, context in context["countryCode"].map { FlagAnswer($0) } }
    #expect(provider.snapshot().value(of: "country", for: FlagUser(id: "1", countryCode: "es")) == "es")
  }

  @Test("An announced change reaches subscribers")
  func announcesChanges() {
    let provider = ClosureProvider { _, _ in nil }
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    provider.announceChange()
    provider.announceChange(of: .some(["a"]))
    #expect(received.events == [.all, .some(["a"])])
    subscription.cancel()
  }
}

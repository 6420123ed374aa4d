import FlagDomain
import FlagProviders
import FlagTesting
import TestSupport
import Testing

@Suite("Delegate provider")
struct DelegateProviderTests {
  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let delegate = Delegate()
    let provider = DelegateProvider(delegate)
    try await ProviderContract(provider, present: ["on": true], absent: "off").check()
    #expect(!((provider as Any) is any WritableFlagProvider))
    withExtendedLifetime(delegate) {}
  }

  @Test("A delegate is not kept alive, and without it there are no answers")
  func isWeak() {
    var delegate: Delegate? = Delegate()
    let observed = { [weak delegate] in delegate }
    let provider = delegate.map { DelegateProvider($0) }
    let snapshot = provider?.snapshot()
    #expect(snapshot?.value(of: "on") == true)
    delegate = nil
    #expect(observed() == nil)
    #expect(snapshot?.value(of: "on") == nil && provider?.snapshot().value(of: "on") == nil)
  }

  @Test("Announced changes are reported")
  func announces() {
    let delegate = Delegate()
    let provider = DelegateProvider(name: "app", delegate)
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    provider.announceChange()
    provider.announceChange(of: .some(["on"]))
    #expect(received.events == [.all, .some(["on"])])
    subscription.cancel()
  }

  @Test("A provider of a writable delegate is writable, and announces writes")
  func writes() throws {
    let delegate = Settings()
    let provider = DelegateProvider(delegate)
    let received = Recorder<ChangedKeys>()
    let subscription = provider.subscribe { received.record($0) }
    try provider.write(["on": true, "off": .some(.null)])
    #expect(delegate.values.withLock { $0 } == ["on": true, "off": .null])
    #expect(provider.snapshot().value(of: "on") == true)
    #expect(throws: Settings.refusal) { try provider.write(1, for: "refused") }
    #expect(received.events == [.some(["on", "off"])])
    subscription.cancel()
  }

  @Test("Writing to a delegate that is gone is an error")
  func refusesLateWrites() {
    let provider = DelegateProvider(name: "settings", Settings())
    let gone = FlagError(.general, "expected a delegate, found none: it was released", provider: "settings")
    #expect(throws: gone) { try provider.write(1, for: "on") }
  }

  private final class Delegate: FlagProviderDelegate {
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { key == "on" ? FlagAnswer(true) : nil }
  }

  private final class Settings: WritableFlagProviderDelegate {
    static let refusal = FlagError(.general, "expected another key")
    let values = Locked<[FlagKey: FlagValue]>([:])

    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? {
      values.withLock { $0[key] }.map { FlagAnswer($0) }
    }

    func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
      if values["refused"] != nil { throw Self.refusal }
      self.values.withLock { own in
        for (key, value) in values { own[key] = value }
      }
    }
  }
}

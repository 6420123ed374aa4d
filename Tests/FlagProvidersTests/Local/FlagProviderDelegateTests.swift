import FlagDomain
import FlagProviders
import FlagTesting
import Testing

@Suite("Delegate provider")
struct FlagProviderDelegateTests {
  @Test("Meets the contract of every provider")
  func meetsContract() async throws {
    let delegate = Delegate()
    let provider = ClosureProvider(delegate: delegate)
    try await ProviderContract(provider, present: ["on": true], absent: "off").check()
    withExtendedLifetime(delegate) {}
  }

  @Test("A delegate is not kept alive, and without it there are no answers")
  func isWeak() {
    var delegate: Delegate? = Delegate()
    weak let observed = delegate
    let provider = delegate.map { ClosureProvider(delegate: $0) }
    #expect(provider?.snapshot().value(of: "on") == true)
    delegate = nil
    #expect(observed == nil)
    #expect(provider?.snapshot().value(of: "on") == nil)
  }

  private final class Delegate: FlagProviderDelegate {
    func answer(for key: FlagKey, in context: EvaluationContext) -> FlagAnswer? { key == "on" ? FlagAnswer(true) : nil }
  }
}

import FlagDomain
import Testing

@Suite("Provider's answer")
struct ProviderAnswerTests {
  @Test("An answer has its value; none at all, and an unusable one, have none")
  func hasValue() {
    let resolution = FlagResolution(1, reason: .static)
    #expect(answer(.success(resolution)).value == 1)
    #expect(answer(.success(nil)).value == nil)
    #expect(answer(.failure(FlagError(.general, "broken"))).value == nil)
  }

  private func answer(_ outcome: Result<FlagResolution<Int>?, FlagError>) -> ProviderAnswer<Int> {
    ProviderAnswer(provider: "a", isExcluded: false, outcome: outcome)
  }
}

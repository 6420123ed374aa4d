import FlagDomain
import Testing

@Suite("Bound flag")
struct BoundFlagTests {
  private let flag = Flag("a", default: 1, FlagMetadata("One.", order: 3)) { _ in 2 }

  @Test("A bound flag is the flag")
  func isTheFlag() {
    let bound = BoundFlag(flag, in: Plain())
    #expect((bound.key, bound.defaultValue, bound.metadata.order) == ("a", 1, 3))
    #expect(bound.computed?(EvaluationContext()) == 2)
  }

  @Test("A manager that explains itself gives the resolution")
  func resolution() {
    #expect(BoundFlag(flag, in: Inspector()).resolution == FlagResolution(4, reason: .split, provider: "P"))
  }

  @Test("A manager that does not gives its value, for an unknown reason")
  func unknown() {
    #expect(BoundFlag(flag, in: Plain()).resolution == FlagResolution(3, reason: .unknown))
  }

  @Test("The values of a manager that cannot tell of changes are the current one")
  func values() async {
    var values: [Int] = []
    for await value in BoundFlag(flag, in: Plain()).values { values.append(value) }
    #expect(values == [3])
  }
}

private struct Plain: FeatureFlagManager {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value { 3 as? F.Value ?? flag.defaultValue }
}

private struct Inspector: FeatureFlagManager, FlagInspecting {
  func variation<F: FeatureFlag>(for flag: F) -> F.Value { 3 as? F.Value ?? flag.defaultValue }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    FlagResolution(4 as? F.Value ?? flag.defaultValue, reason: .split, provider: "P")
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] { [] }
}

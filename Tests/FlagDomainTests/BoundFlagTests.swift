import FlagDomain
import Testing

@Suite("Bound flag")
struct BoundFlagTests {
  private let flag = Flag("a", default: 1, FlagMetadata("One.", order: 3)) { _ in 2 }

  @Test("A bound flag is the flag")
  func isTheFlag() {
    let bound = BoundFlag(flag, in: Variable())
    #expect((bound.key, bound.defaultValue, bound.metadata.order) == ("a", 1, 3))
    #expect(bound.computed?(EvaluationContext()) == 2)
  }

  @Test(
    "What of a flag's metadata decides its value is known without the metadata, whatever the flag's type",
    arguments: [
      (FlagMetadata("One."), FlagTraits()), (FlagMetadata(requiresRestart: true), .requiresRestart),
      (FlagMetadata(overridesRequireRestart: true), .overridesRequireRestart),
      (FlagMetadata(excludedProviders: ["a"]), .excludesProviders),
      (
        FlagMetadata(requiresRestart: true, excludedProviders: ["a"]),
        FlagTraits([.requiresRestart, .excludesProviders])
      ),
    ])
  func tellsTraits(metadata: FlagMetadata, traits: FlagTraits) {
    struct Own: FeatureFlag {
      let key: FlagKey = "own"
      let defaultValue = 1
      let metadata: FlagMetadata
    }
    let flag = Flag("a", default: 1, metadata)
    #expect(flag.traits == traits)
    #expect(BoundFlag(flag, in: Variable()).traits == traits)
    #expect(Own(metadata: metadata).traits == traits)
  }

  @Test("A flag behind a decorator of six lines is followed through it")
  func followsThroughDecorators() async {
    let (manager, observer) = (Variable(), Observer())
    let bound = BoundFlag(flag, in: Doubled(base: manager))
    var values = bound.values(following: observer).makeAsyncIterator()
    #expect(await values.next() == 2)
    manager.number.withLock { $0 = 5 }
    observer.feed.send(FlagChange(keys: .some(["a"]), causes: [.user]))
    #expect(await values.next() == 10)
    #expect(bound.value == 10)
    observer.feed.finish()
    #expect(await values.next() == nil)
  }
}

private final class Variable: FeatureFlagManager {
  let number = Locked(1)
  func variation<F: FeatureFlag>(for flag: F) -> F.Value { number.withLock { $0 } as? F.Value ?? flag.defaultValue }
}

private struct Doubled: FeatureFlagManager {
  let base: any FeatureFlagManager
  func variation<F: FeatureFlag>(for flag: F) -> F.Value {
    let value = base.variation(for: flag)
    return (value as? Int).flatMap { $0 * 2 as? F.Value } ?? value
  }
}

private struct Observer: FlagObserving {
  private let sequence: FlagChanges
  let feed: FlagChanges.Feed

  init() { (sequence, feed) = FlagChanges.makeSequence() }

  func changes() -> FlagChanges { sequence }

  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable {
    FlagValues(of: flag, changes: sequence) { flag.defaultValue }
  }
}

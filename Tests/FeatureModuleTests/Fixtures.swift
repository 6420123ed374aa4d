import FlagDomain

/// Values by key, and the defaults of the rest.
struct FixedFlags: FeatureFlagManager {
  var values: [FlagKey: any Sendable] = [:]

  func variation<F: FeatureFlag>(for flag: F) -> F.Value { values[flag.key] as? F.Value ?? flag.defaultValue }
}

/// A provider that knows what was written to it.
final class WrittenFlags: WritableFlagProvider {
  let name = "Written"
  private let state = Locked<[FlagKey: FlagValue]>([:])

  var values: [FlagKey: FlagValue] { state.withLock { $0 } }

  func write(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    state.withLock { $0.merge(values.compactMapValues { $0 }) { _, new in new } }
  }

  func snapshot() -> any ProviderSnapshot { Snapshot(values: values) }

  private struct Snapshot: ProviderSnapshot {
    var values: [FlagKey: FlagValue]

    func answer(for key: FlagKey, in context: EvaluationContext) throws(FlagError) -> FlagAnswer? {
      values[key].map { FlagAnswer($0) }
    }
  }
}

internal import FlagDomain

extension TrackedFlags: FlagInspecting {
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    live.observed.access(flag.key)
    return live.resolution(of: flag)
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    live.observed.access(flag.key)
    return live.answers(for: flag)
  }
}

extension TrackedFlags: FlagObserving {
  func changes() -> FlagChanges { live.changes() }

  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable { live.values(of: flag) }
}

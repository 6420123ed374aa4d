import FlagDomain

extension LiveManager: FlagObserving {
  func changes() -> FlagChanges { feeds.changes() }

  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable {
    FlagValues(of: flag, changes: changes()) { [weak self] in self?.variation(for: flag) }
  }
}

public import FlagDomain

extension FeatureFlagClient {
  /// Returns the current value of a key, and whether it is overridden; nil for a key that is in no catalog.
  ///
  /// It is for flag browsers and command lines, which know keys but no types. A value that cannot be encoded is
  /// returned as its description.
  public func overrideState(forKey key: FlagKey) -> OverrideState<FlagValue>? {
    catalogs.flatMap(\.flags).first { $0.key == key }.map { rawState(of: $0) }
  }

  private func rawState<F: FeatureFlag>(of flag: F) -> OverrideState<FlagValue> {
    switch overrides.overrideState(of: flag) {
    case .original(let value): .original(FlagValue(describing: value))
    case .overridden(let value, let original):
      .overridden(FlagValue(describing: value), original: FlagValue(describing: original))
    }
  }
}

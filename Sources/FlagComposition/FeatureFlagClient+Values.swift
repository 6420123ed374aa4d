public import FlagDomain

extension FeatureFlagClient {
  /// Returns the current value of a key, and whether it is overridden; nil for a key that is in no catalog.
  ///
  /// It is for flag browsers and command lines, which know keys but no types. A value that cannot be encoded is
  /// returned as its description.
  public func overrideState(forKey key: FlagKey) -> OverrideState<FlagValue>? {
    catalogs.flatMap(\.flags).first { $0.key == key }.map { overrides.overrideState(ofAny: $0) }
  }
}

/// Reads flags: all that a feature module needs to see.
public protocol FeatureFlagManager: Sendable {
  /// Returns the current value of a flag for whoever is signed in.
  ///
  /// There is always a value: the flag's default stands where no provider has one or all fail. The call never throws,
  /// never waits for a network, a file, an actor or a provider, and may be made from any thread, as often as is handy.
  func variation<F: FeatureFlag>(for flag: F) -> F.Value
}

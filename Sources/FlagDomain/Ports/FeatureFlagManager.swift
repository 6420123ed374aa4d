/// A reader of flags: the only port that a feature module needs.
public protocol FeatureFlagManager: Sendable {
  /// Returns the current value of a flag for the current user.
  ///
  /// There is always a value: the flag's default is used when no provider has one, or all fail. The call never throws,
  /// never waits for a network, a file, an actor or a provider, and may be made from any thread, as often as needed.
  /// If the flag is an experiment, the read counts as an exposure of the user to the value.
  func variation<Value>(for flag: some FeatureFlag<Value>) -> Value

  /// Returns the current value of a flag without counting it as seen by the user: for consoles, logs and previews.
  ///
  /// It differs from ``variation(for:)`` only for experiments, whose reads are exposures: see ``ExposureTracker``.
  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value

  /// Returns the value of a flag that is used if there is no other.
  ///
  /// It is the flag's own default, unless the client has replaced it.
  func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value
}

extension FeatureFlagManager {
  /// Returns the current value, for a manager that counts no reads.
  public func peek<Value>(at flag: some FeatureFlag<Value>) -> Value { variation(for: flag) }

  /// Returns the flag's own default.
  public func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { flag.defaultValue }
}

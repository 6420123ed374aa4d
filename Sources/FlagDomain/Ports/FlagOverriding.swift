/// The port for overriding the values of flags, for developers and testers.
///
/// Overrides take precedence over everything else, are stored, and stay until they are cleared. Every requirement may
/// be called from any thread.
public protocol FlagOverriding: Sendable {
  /// Every stored override, including those that take effect at the next start.
  var overrides: [FlagKey: FlagValue] { get }

  /// Whether overrides have an effect for the current user; if not, they can only be cleared. True by default.
  var areOverridesAllowed: Bool { get }

  /// The keys of flags that need a restart and will have a different value after it.
  var keysAwaitingRestart: Set<FlagKey> { get }

  /// Sets overrides, and clears those whose value is nil, in one change.
  ///
  /// - Parameter values: The overrides by key. A key that no flag has can only be cleared.
  /// - Throws: `FLAG_NOT_FOUND` for a key that no flag of the catalogs has, if there are catalogs; a type mismatch for
  ///   a value that its flag cannot have; and the store's error. Then nothing is changed.
  func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError)

  /// Sets the override of a flag, which need not be in a catalog.
  ///
  /// - Throws: A type mismatch for a value that the flag cannot have, and the store's error. Then nothing is changed.
  func setOverride(_ value: FlagValue, of flag: some FeatureFlag) throws(FlagError)

  /// Clears and deletes every override, in one change.
  ///
  /// - Throws: The store's error; then nothing is changed.
  func clearOverrides() throws(FlagError)

  /// Returns the current value of a flag, and whether it is overridden.
  func overrideState<F: FeatureFlag>(of flag: F) -> OverrideState<F.Value>
}

extension FlagOverriding {
  /// True.
  public var areOverridesAllowed: Bool { true }

  /// Sets the override of a flag by its key.
  public func setOverride(_ value: FlagValue, of flag: some FeatureFlag) throws(FlagError) {
    try setOverrides([flag.key: value])
  }

  /// Overrides a flag.
  ///
  /// - Throws: A type mismatch if the value cannot be encoded, or the store's error; then nothing is changed.
  public func override<F: FeatureFlag>(_ flag: F, with value: F.Value) throws(FlagError) where F.Value: Encodable {
    try setOverride(FlagValue(encoding: value), of: flag)
  }

  /// Clears and deletes the override of a flag, if there is one.
  ///
  /// - Throws: The store's error; then nothing is changed.
  public func clearOverride(of flag: some FeatureFlag) throws(FlagError) {
    try setOverrides([flag.key: nil])
  }
}

public import FlagDomain

extension FlagComposition {
  /// Replaces a flag's default, for one target of several that share a feature module.
  public func setDefault<F: FeatureFlag>(_ value: F.Value, for flag: F) {
    live.change(FlagChange(keys: .some([flag.key]), causes: [.defaultValue])) { $0.defaults[flag.key] = value }
  }

  /// Gives a flag the default that its declaration says.
  public func resetDefault(of flag: some FeatureFlag) {
    live.change(FlagChange(keys: .some([flag.key]), causes: [.defaultValue])) { $0.defaults[flag.key] = nil }
  }

  /// Returns the value that stands when nothing else gives one.
  public func defaultValue<F: FeatureFlag>(of flag: F) -> F.Value { live.current.defaultValue(of: flag) }
}

/// Access to flags of a type that the caller does not know, as those of a catalog, with values as providers store them.
///
/// A value that cannot be encoded is represented by its text.
extension FlagInspecting {
  /// Returns the resolution of a flag of any type.
  @_disfavoredOverload
  public func resolution(of flag: any FeatureFlag) -> FlagResolution<FlagValue> {
    func described(_ flag: some FeatureFlag) -> FlagResolution<FlagValue> { resolution(of: flag).described }
    return described(flag)
  }

  /// Returns every provider's own answer for a flag of any type, in the order in which they are queried.
  @_disfavoredOverload
  public func answers(for flag: any FeatureFlag) -> [ProviderAnswer<FlagValue>] {
    func described(_ flag: some FeatureFlag) -> [ProviderAnswer<FlagValue>] {
      answers(for: flag).map {
        ProviderAnswer(provider: $0.provider, isExcluded: $0.isExcluded, outcome: $0.outcome.map { $0?.described })
      }
    }
    return described(flag)
  }
}

extension FlagOverriding {
  /// Returns the current value of a flag of any type, and whether it is overridden.
  @_disfavoredOverload
  public func overrideState(of flag: any FeatureFlag) -> OverrideState<FlagValue> {
    func described(_ flag: some FeatureFlag) -> OverrideState<FlagValue> {
      switch overrideState(of: flag) {
      case .original(let value): .original(FlagValue(describing: value))
      case .overridden(let value, let original):
        .overridden(FlagValue(describing: value), original: FlagValue(describing: original))
      }
    }
    return described(flag)
  }
}

extension FlagResolution {
  fileprivate var described: FlagResolution<FlagValue> {
    FlagResolution<FlagValue>(
      FlagValue(describing: value), variant: variant, reason: reason, provider: provider, errors: errors,
      metadata: metadata)
  }
}

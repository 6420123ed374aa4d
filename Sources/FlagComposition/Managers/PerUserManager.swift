import FlagDomain

/// A manager for a given user that reads the current state, and caches nothing.
struct PerUserManager: FeatureFlagManager, FlagInspecting {
  let flags: LiveManager
  let user: FlagUser?

  func variation<Value>(for flag: some FeatureFlag<Value>) -> Value {
    let state = flags.state
    let context = state.context(of: user)
    var decision = Decision()
    let value = state.value(of: flag, in: context, &decision)
    if state.isFollowed(decision) { _ = state.listeners.notify(value, of: flag, in: context, decision) }
    state.report(decision.newErrors)
    return value
  }

  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value { resolution(of: flag).value }

  func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value { flags.state.defaultValue(of: flag) }

  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    let state = flags.state
    return state.resolution(of: flag, in: state.context(of: user))
  }

  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    let state = flags.state
    return state.answers(for: flag, in: state.context(of: user))
  }
}

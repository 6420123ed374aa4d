internal import FlagDomain
internal import Synchronization

extension LiveFlags: FlagOverriding {
  var overrides: [FlagKey: FlagValue] { current.content.overrides.stored }

  var keysAwaitingRestart: Set<FlagKey> {
    let content = current.content
    return content.restartKeys.filter { content.overrides.stored[$0] != content.overrides.atStart[$0] }
  }

  func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    try store(cause: .override) { _ in values }
  }

  func clearOverrides() throws(FlagError) {
    try store(cause: .reset) { stored in stored.mapValues { _ in FlagValue?.none } }
  }

  /// Stores changes that depend on what is stored, then makes them count.
  private func store(
    cause: FlagChange.Cause, _ values: ([FlagKey: FlagValue]) -> [FlagKey: FlagValue?]
  ) throws(FlagError) {
    let keys = try storing.withLock { _ throws(FlagError) in
      let values = values(overrides)
      guard !values.isEmpty else { return ChangedKeys?.none }
      try store.write(values)
      let change = FlagChange(keys: .some(Set(values.keys)), causes: [cause])
      publish(change) { content in
        for (key, value) in values { content.overrides.stored[key] = value }
      }
      return change.keys
    }
    // Outside the lock: an observer may override flags, too.
    if let keys { observed.notify(keys) }
  }

  func overrideState<F: FeatureFlag>(of flag: F) -> OverrideState<F.Value> {
    let state = current
    var trace = Trace()
    let value = state.value(of: flag, in: state.content.context, &trace)
    guard trace.isOverridden else { return .original(value) }
    return .overridden(value, original: state.valueWithoutOverride(of: flag, in: state.content.context, &trace))
  }
}

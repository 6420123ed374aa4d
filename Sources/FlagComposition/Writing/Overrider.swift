import FlagDomain

struct Overrider: FlagOverriding {
  let flags: LiveManager
  let stored: StoredOverrides
  let registered: RegisteredCatalogs
  /// Whether an override is stored that equals what would be read without it.
  let storesRedundant: Bool

  var overrides: [FlagKey: FlagValue] { flags.sharedState.content.overrides.stored }

  var areOverridesAllowed: Bool {
    let state = flags.sharedState
    return state.content.overriding.allows(state.content.context)
  }

  func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    var values = values
    if values.contains(where: { $0.value != nil }) { try checkPolicy(values.keys.min()) }
    let known = registered.flagsByKey
    for key in known.isEmpty ? [] : values.keys.sorted() {
      guard let value = values[key] ?? nil else { continue }
      guard let flag = known[key] else {
        throw FlagError(.flagNotFound, "expected the key of a flag of the catalogs", key: key, provider: .overrides)
      }
      try check(value, for: flag)
    }
    if !storesRedundant {
      for (key, value) in values {
        if let value, let flag = known[key], isRedundant(value, for: flag) { values[key] = .some(nil) }
      }
    }
    try stored.write(flags, cause: .override, values)
  }

  func setOverride(_ value: FlagValue, of flag: some FeatureFlag) throws(FlagError) {
    try checkPolicy(flag.key)
    try check(value, for: flag)
    flags.state.running.note(flag)
    let value = storesRedundant || !isRedundant(value, for: flag) ? value : nil
    try stored.write(flags, cause: .override, [flag.key: value])
  }

  func clearOverrides() throws(FlagError) { try stored.clear(flags) }

  func overrideState<F: FeatureFlag>(of flag: F) -> OverrideState<F.Value> {
    let current = flags.state
    let (state, context, traits) = (current.running(flag), current.content.context, flag.traits)
    var decision = Decision(isReported: false)
    let value = state.valueWithOverride(of: flag, traits, in: context, &decision)
    guard decision.isOverridden else { return .original(value) }
    return .overridden(value, original: state.valueWithoutOverride(of: flag, traits, in: context, &decision))
  }

  var keysAwaitingRestart: Set<FlagKey> {
    let state = flags.state
    var content = state.content
    content.overrides.atStart = content.overrides.stored
    let next = state.changed(to: content)
    let listed = registered.flagsByKey.values.filter { !$0.traits.isDisjoint(with: .restart) }
    return Set((listed + state.running.flags).filter { isWaiting($0, state, next) }.map(\.key))
  }

  /// Returns whether a flag's value would differ after a restart now.
  private func isWaiting<F: FeatureFlag>(_ flag: F, _ state: FlagState, _ next: FlagState) -> Bool {
    var (now, then) = (Decision(isReported: false), Decision(isReported: false))
    let (context, traits) = (state.content.context, flag.traits)
    let running = state.asRunning(flag).valueWithOverride(of: flag, traits, in: context, &now)
    return !areSame(running, next.valueWithOverride(of: flag, traits, in: context, &then))
  }

  private func checkPolicy(_ key: FlagKey?) throws(FlagError) {
    if areOverridesAllowed { return }
    throw FlagError(.general, "overrides are not allowed here", key: key, provider: .overrides)
  }

  /// Returns whether a value is what would be read without an override, now and after the next start.
  private func isRedundant<F: FeatureFlag>(_ value: FlagValue, for flag: F) -> Bool {
    guard flag.traits.isDisjoint(with: .restart) else { return false }
    var decision = Decision(isReported: false)
    let state = flags.state
    let original = state.valueWithoutOverride(of: flag, flag.traits, in: state.content.context, &decision)
    do throws(FlagError) {
      return try areSame(value.decode(as: F.Value.self), original)
    } catch {
      return false
    }
  }

  private func check<F: FeatureFlag>(_ value: FlagValue, for flag: F) throws(FlagError) {
    if !flag.metadata.isOverridable { throw .notOverridable(flag.key, in: .overrides) }
    do throws(FlagError) {
      _ = try value.decode(as: F.Value.self)
    } catch {
      throw FlagError(error.code, error.message, key: flag.key, provider: .overrides)
    }
  }
}

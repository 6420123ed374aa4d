public import FlagDomain

extension TestFlags: FlagInspecting {
  /// Returns the flag's value with its reason: `OVERRIDE`, `STATIC` for a value that was set, `COMPUTED`,
  /// `FALLBACK`, else `DEFAULT`.
  public func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value> {
    if let given = given(flag) { return given }
    // The closure is called even if the test set no context; then its value does not count as set by the test.
    let computed = self.computed(flag, in: state.withLock { $0.context } ?? EvaluationContext())
    reportUnset(flag)
    return computed ?? FlagResolution(flag.defaultValue, reason: .default)
  }

  /// Returns one answer: the value that was set, or nil.
  public func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>] {
    let value = state.withLock { $0.values[flag.key] }
    let resolution = value.flatMap { $0 as? F.Value }.map {
      FlagResolution($0, reason: .static, provider: Self.name)
    }
    return [ProviderAnswer(provider: Self.name, isExcluded: false, outcome: .success(resolution))]
  }
}

extension TestFlags: FlagObserving {
  /// Returns the changes from now on; they end when the manager is released.
  public func changes() -> FlagChanges { feeds.changes() }

  /// Returns the values of a flag: the current one first, then each that differs from the one before.
  public func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable {
    FlagValues(of: flag, changes: changes()) { [weak self] in self?.variation(for: flag) }
  }
}

extension TestFlags: UserAuthenticator {
  /// Sets the current user, which is part of the context, and records the call.
  public func setUser(_ user: FlagUser?) {
    state.withLock { $0.users.append(user) }
    changeContext(cause: .user) { $0.user = user }
  }

  /// The users that were set, in order; nil for each sign-out.
  public var users: [FlagUser?] { state.withLock { $0.users } }
}

extension TestFlags: FlagContextUpdating {
  /// The attributes of the context that flags' closures receive.
  public var attributes: [String: FlagValue] { context.attributes }

  /// Sets some attributes and removes others, in one change; the others stay.
  public func updateAttributes(_ values: [String: FlagValue], removing names: Set<String>) {
    changeContext(cause: .context) { $0.updateAttributes(values, removing: names) }
  }

  /// Sets the id of a visitor; nil removes it.
  public func setAnonymousID(_ id: String?) { changeContext(cause: .context) { $0.anonymousID = id } }
}

extension TestFlags: FlagSnapshotting {
  /// Returns the flags as they are now; reads of the snapshot are not among ``reads``.
  public func snapshot() -> any FlagSnapshot { copy() }

  /// Returns the flags as they are now, for one user; nil is a visitor.
  public func snapshot(for user: FlagUser?) -> any FlagSnapshot {
    let copy = copy()
    copy.context.user = user
    return copy
  }
}

extension TestFlags: FlagOverriding {
  /// The overrides that code under test has set.
  public var overrides: [FlagKey: FlagValue] { state.withLock { $0.overrides } }

  /// Always empty: overrides take effect at once.
  public var keysAwaitingRestart: Set<FlagKey> { [] }

  /// The error that setting and clearing overrides throws; nil for none.
  public var overrideError: FlagError? {
    get { state.withLock { $0.overrideError } }
    set { state.withLock { $0.overrideError = newValue } }
  }

  /// Sets overrides, and clears those whose value is nil.
  ///
  /// - Throws: ``overrideError``, if it is set. Then nothing is changed.
  public func setOverrides(_ values: [FlagKey: FlagValue?]) throws(FlagError) {
    if let overrideError { throw overrideError }
    change(ChangedKeys(values.keys), cause: .override) { state in
      for (key, value) in values { state.overrides[key] = value }
    }
  }

  /// Clears every override.
  ///
  /// - Throws: ``overrideError``, if it is set. Then nothing is changed.
  public func clearOverrides() throws(FlagError) {
    if let overrideError { throw overrideError }
    change(ChangedKeys(overrides.keys), cause: .reset) { $0.overrides = [:] }
  }

  /// Returns the value of a flag, and whether it is overridden.
  public func overrideState<F: FeatureFlag>(of flag: F) -> OverrideState<F.Value> {
    let current = resolution(of: flag)
    guard current.reason == .override else { return .original(current.value) }
    let other = copy()
    other.change([flag.key]) { $0.overrides[flag.key] = nil }
    return .overridden(current.value, original: other.variation(for: flag))
  }
}

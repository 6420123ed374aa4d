import FlagDomain

extension FlagState {
  /// Resolves a flag for the current user, caches the value if it lasts, and reports errors and the exposure.
  @inline(never)
  func resolve<Value>(_ flag: some FeatureFlag<Value>) -> Value {
    var decision = Decision(isCached: true)
    let value = value(of: flag, in: content.context, &decision)
    // First, since a read of a cached value reports nothing.
    let isNoticed = !isFollowed(decision) || listeners.notify(value, of: flag, in: content.context, decision)
    if decision.isLasting, isNoticed { store(value, of: flag) }
    report(decision.newErrors)
    checkListing(of: flag)
    return value
  }

  /// Resolves a flag for the current user, and reports errors; caches nothing, since the read is not an exposure.
  @inline(never)
  func peek<Value>(at flag: some FeatureFlag<Value>) -> Value {
    var decision = Decision()
    let value = value(of: flag, in: content.context, &decision)
    report(decision.newErrors)
    return value
  }

  /// Returns a flag's value: an override, else the computed value, else the providers in order, else the default.
  ///
  /// A pure function, except for a flag's own closure and providers' transient answers.
  ///
  /// Frequent and rare cases are in separate functions: an optional of the value anywhere in a function has its
  /// metadata looked up at every call.
  func value<Value>(
    of flag: some FeatureFlag<Value>, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    let traits = flag.traits
    if traits.contains(.isExperiment) { decision.isExperiment = true }
    if traits.contains(.requiresRestart) { return runningValue(of: flag, traits, in: context, &decision) }
    return content.launch.isEmpty && content.overrides.isEmpty
      ? valueWithoutOverride(of: flag, traits, in: context, &decision)
      : valueWithOverride(of: flag, traits, in: context, &decision)
  }

  @inline(never)
  private func runningValue<Value>(
    of flag: some FeatureFlag<Value>, _ traits: FlagTraits, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    running(flag).valueWithOverride(of: flag, traits, in: context, &decision)
  }

  @inline(never)
  func valueWithOverride<Value>(
    of flag: some FeatureFlag<Value>, _ traits: FlagTraits, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    guard content.overriding.allows(context) else {
      return valueWithoutOverride(of: flag, traits, in: context, &decision)
    }
    for launch in content.launch {
      do throws(FlagError) {
        guard let answer = try launch.snapshot.answer(for: flag.key, in: context),
          flag.metadata.isOverridable
        else { continue }
        let value = try value(of: flag, by: answer, from: launch, &decision)
        decision.reason = .override
        decision.isOverridden = true
        return value
      } catch {
        decision.fail(error, flag.key, launch.name, launch.log)
      }
    }
    if !content.overrides.isEmpty, let override = content.overrides.value(for: flag.key, traits),
      flag.metadata.isOverridable
    {
      do throws(FlagError) {
        let value = try decision.own(override).decode(as: Value.self)
        decision.decide(.override, .overrides)
        decision.isOverridden = true
        return value
      } catch {
        decision.fail(error, flag.key, .overrides, content.overrides.log)
      }
    }
    return valueWithoutOverride(of: flag, traits, in: context, &decision)
  }

  func valueWithoutOverride<Value>(
    of flag: some FeatureFlag<Value>, _ traits: FlagTraits, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    flag.computed == nil && !traits.contains(.dependsOnFlags)
      ? providedValue(of: flag, traits, in: context, &decision)
      : dependentValue(of: flag, traits, in: context, &decision)
  }

  /// Returns the value of a flag that requires another one, or has a closure that is asked before the providers.
  @inline(never)
  private func dependentValue<Value>(
    of flag: some FeatureFlag<Value>, _ traits: FlagTraits, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    if let required = flag.metadata.requires, !isOn(required, for: flag.key, in: context, &decision) {
      decision.decide(decision.errors.isEmpty ? .prerequisiteFailed : .error, nil)
      decision.isExperiment = false
      return false as? Value ?? decision.own(defaultValue(of: flag))
    }
    if flag.metadata.isDerived {
      if let value = derivedValue(of: flag, in: context, &decision) { return value }
    } else if let computed = flag.computed {
      decision.isLasting = false
      if let value = computed(context) {
        decision.decide(.computed, nil)
        return value
      }
    }
    return providedValue(of: flag, traits, in: context, &decision)
  }

  /// Returns the value that follows from other flags; nil if it follows from itself.
  @inline(never)
  private func derivedValue<Value>(
    of flag: some FeatureFlag<Value>, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value? {
    let reads = DerivedReads(self, context, isReported: decision.isReported)
    do throws(FlagError) {
      guard let value = try _DerivedFlags.value(of: flag, in: context, from: reads) else { return nil }
      let outcome = reads.outcome
      decision.isLasting = decision.isLasting && outcome.isLasting
      decision.newErrors += outcome.errors
      decision.decide(.computed, nil)
      return decision.own(value)
    } catch {
      decision.fail(error, flag.key, nil, content.overrides.log)
      return nil
    }
  }

  /// Returns whether a flag is on that another one requires, without counting as a read of it.
  ///
  /// A flag of no catalog that requires another one is off.
  private func isOn(
    _ required: FlagKey, for key: FlagKey, in context: EvaluationContext, _ decision: inout Decision
  ) -> Bool {
    guard let flag = content.requirements.flag(required) else {
      let error = FlagError(.flagNotFound, "requires \(required), and is in no catalog")
      decision.fail(error, key, nil, content.overrides.log)
      return false
    }
    var other = Decision(isReported: decision.isReported)
    let isOn = value(of: flag, in: context, &other)
    decision.isLasting = decision.isLasting && other.isLasting
    decision.newErrors += other.newErrors
    return isOn
  }

  /// Returns the value of a flag that no provider has: the fallback's, or else the default.
  @inline(never)
  private func fallbackValue<Value>(
    of flag: some FeatureFlag<Value>, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    if let fallback = flag.fallback {
      decision.isLasting = false
      if let value = fallback(context) {
        decision.decide(.fallback, nil)
        return value
      }
    }
    decision.decide(decision.errors.isEmpty ? .default : .error, nil)
    return decision.own(defaultValue(of: flag))
  }

  private func providedValue<Value>(
    of flag: some FeatureFlag<Value>, _ traits: FlagTraits, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    let key: FlagKey
    do throws(FlagError) {
      key = try content.keys.key(of: flag)
    } catch {
      decision.fail(error, flag.key, nil, content.overrides.log)
      decision.decide(.error, nil)
      return decision.own(defaultValue(of: flag))
    }
    let metadata = traits.contains(.excludesProviders) ? flag.metadata : nil
    for index in content.sources.indices {  // an iterator would retain the array
      let source = content.sources[index]
      if let metadata, !metadata.queries(source.name) { continue }
      do throws(FlagError) {
        guard let answer = try source.snapshot.answer(for: key, in: context) else { continue }
        return try value(of: flag, by: answer, from: source, &decision)
      } catch {
        decision.fail(error, flag.key, source, isCurrentUser: context.user == content.context.user)
      }
    }
    return fallbackValue(of: flag, in: context, &decision)
  }

  /// Returns the value that one source's answer gives a flag: the default if the answer says so.
  private func value<Value>(
    of flag: some FeatureFlag<Value>, by answer: consuming FlagAnswer, from source: Source, _ decision: inout Decision
  ) throws(FlagError) -> Value {
    let value =
      if let raw = answer.value {
        try decision.own(raw).decode(as: Value.self, textReader: source.textReader)
      } else {
        decision.own(defaultValue(of: flag))
      }
    decision.decide(answer, source.name)
    return value
  }

  /// Returns the value of a flag that is used if there is no other.
  @inline(never)
  func defaultValue<Value>(of flag: some FeatureFlag<Value>) -> Value {
    // In two steps: the cast of a missing value to an optional type would succeed.
    guard !content.defaults.isEmpty, let replaced = content.defaults[flag.key], let value = replaced as? Value else {
      return flag.defaultValue
    }
    return value
  }

  func resolution<Value>(of flag: some FeatureFlag<Value>, in context: EvaluationContext) -> FlagResolution<Value> {
    var decision = Decision()
    let value = value(of: flag, in: context, &decision)
    report(decision.newErrors)
    return FlagResolution(value, decision)
  }

  func answers<Value>(for flag: some FeatureFlag<Value>, in context: EvaluationContext) -> [ProviderAnswer<Value>] {
    let metadata = flag.metadata
    return running(flag).content.sources.map { source in
      let outcome = Result { () throws(FlagError) in
        try source.snapshot.answer(for: content.keys.key(of: flag), in: context).map { answer throws(FlagError) in
          var decision = Decision(isReported: false)
          return FlagResolution(try value(of: flag, by: answer, from: source, &decision), decision)
        }
      }
      return ProviderAnswer(
        provider: source.name, isExcluded: !metadata.queries(source.name),
        outcome: outcome.mapError { $0.located(at: flag.key, in: source.name) })
    }
  }

  /// Reports launch values and stored overrides that are invalid for the flag, or that it does not allow, and a flag
  /// that follows from itself.
  func checkOverrides<Value>(of flag: some FeatureFlag<Value>) {
    if flag.metadata.isDerived { _ = peek(at: flag) }
    var decision = Decision()
    if !flag.metadata.isOverridable { return checkNoOverride(of: flag) }
    for launch in content.launch {
      do throws(FlagError) {
        let answer = try launch.snapshot.answer(for: flag.key, in: content.context)
        _ = try answer?.value?.decode(as: Value.self, textReader: launch.textReader)
      } catch {
        decision.fail(error, flag.key, launch.name, launch.log)
      }
    }
    do throws(FlagError) {
      _ = try content.overrides.value(for: flag.key, flag.traits)?.decode(as: Value.self)
    } catch {
      decision.fail(error, flag.key, .overrides, content.overrides.log)
    }
    report(decision.newErrors)
  }
}

extension FlagState {
  /// Reports a launch value and a stored override of a flag that cannot be overridden.
  private func checkNoOverride(of flag: some FeatureFlag) {
    var names: [String] = []
    for launch in content.launch {
      do throws(FlagError) {
        if try launch.snapshot.answer(for: flag.key, in: content.context) != nil { names.append(launch.name) }
      } catch {
        names.append(launch.name)
      }
    }
    if content.overrides.value(for: flag.key, flag.traits) != nil { names.append(.overrides) }
    report(names.map { FlagError.notOverridable(flag.key, in: $0) })
  }
}

extension FlagError {
  static func notOverridable(_ key: FlagKey, in provider: String) -> FlagError {
    FlagError(
      .general, "expected no override, since the flag's declaration says that it is not overridable", key: key,
      provider: provider)
  }
}

extension String {
  /// The name under which overrides appear among providers.
  static let overrides = "overrides"
}

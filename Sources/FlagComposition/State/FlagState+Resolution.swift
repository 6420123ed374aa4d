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
    for launch in content.launch {
      do throws(FlagError) {
        guard let answer = try launch.snapshot.answer(for: flag.key, in: context) else { continue }
        let value = try value(of: flag, by: answer, from: launch, &decision)
        decision.reason = .override
        decision.isOverridden = true
        return value
      } catch {
        decision.fail(error, flag.key, launch.name, launch.log)
      }
    }
    if !content.overrides.isEmpty, let override = content.overrides.value(for: flag.key, traits) {
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
    flag.computed == nil
      ? providedValue(of: flag, traits, in: context, &decision)
      : computedValue(of: flag, traits, in: context, &decision)
  }

  @inline(never)
  private func computedValue<Value>(
    of flag: some FeatureFlag<Value>, _ traits: FlagTraits, in context: EvaluationContext, _ decision: inout Decision
  ) -> Value {
    decision.isLasting = false
    if let value = flag.computed?(context) {
      decision.decide(.computed, nil)
      return value
    }
    return providedValue(of: flag, traits, in: context, &decision)
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
    let excluded = traits.contains(.excludesProviders) ? flag.metadata.excludedProviders : []
    for index in content.sources.indices {  // an iterator would retain the array
      let source = content.sources[index]
      if !excluded.isEmpty, excluded.contains(source.name) { continue }
      do throws(FlagError) {
        guard let answer = try source.snapshot.answer(for: key, in: context) else { continue }
        return try value(of: flag, by: answer, from: source, &decision)
      } catch {
        decision.fail(error, flag.key, source, isCurrentUser: context.user == content.context.user)
      }
    }
    decision.decide(decision.errors.isEmpty ? .default : .error, nil)
    return decision.own(defaultValue(of: flag))
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
    let excluded = flag.metadata.excludedProviders
    return running(flag).content.sources.map { source in
      let outcome = Result { () throws(FlagError) in
        try source.snapshot.answer(for: content.keys.key(of: flag), in: context).map { answer throws(FlagError) in
          var decision = Decision(isReported: false)
          return FlagResolution(try value(of: flag, by: answer, from: source, &decision), decision)
        }
      }
      return ProviderAnswer(
        provider: source.name, isExcluded: excluded.contains(source.name),
        outcome: outcome.mapError { $0.located(at: flag.key, in: source.name) })
    }
  }

  /// Reports launch values and stored overrides that are invalid for the flag.
  func checkOverrides<Value>(of flag: some FeatureFlag<Value>) {
    var decision = Decision()
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

extension String {
  /// The name under which overrides appear among providers.
  static let overrides = "overrides"
}

internal import FlagDomain

/// How a value came about.
///
/// It is filled beside the value, and does not hold it: code that is not specialised spends more on finding the
/// metadata of generic types than on all the rest of a resolution.
struct Trace {
  var variant: String?
  var reason = ResolutionReason.default
  var provider: String?
  var errors: [FlagError] = []
  var metadata: [String: FlagValue] = [:]
  /// Whether an override decided; a provider may give the same reason.
  var isOverridden = false
  /// Whether the value stands as long as the state does.
  var isLasting = true
}

extension FlagState {
  /// Returns a flag's value: an override, else the computed value, else the providers in order, else the default.
  ///
  /// Pure, but for a flag's own closure and providers' transient answers.
  ///
  /// What is frequent stands apart from what is rare: an optional of the value anywhere in a function has its metadata
  /// looked up at every call.
  func value<F: FeatureFlag>(of flag: F, in context: EvaluationContext, _ trace: inout Trace) -> F.Value {
    content.launch.isEmpty && content.overrides.isEmpty
      ? valueWithoutOverride(of: flag, in: context, &trace) : valueWithOverride(of: flag, in: context, &trace)
  }

  @inline(never)
  private func valueWithOverride<F: FeatureFlag>(
    of flag: F, in context: EvaluationContext, _ trace: inout Trace
  ) -> F.Value {
    for launch in content.launch {
      do throws(FlagError) {
        if let value = try value(of: flag, under: flag.key, from: launch, in: context, &trace) {
          trace.reason = .override
          trace.isOverridden = true
          return value
        }
      } catch {
        trace.fail(error, flag.key, launch.name)
      }
    }
    if !content.overrides.isEmpty, let override = content.overrides.value(for: flag) {
      do throws(FlagError) {
        let value = try override.decode(as: F.Value.self)
        trace.decide(.override, .overrides)
        trace.isOverridden = true
        return value
      } catch {
        trace.fail(error, flag.key, .overrides)
      }
    }
    return valueWithoutOverride(of: flag, in: context, &trace)
  }

  /// Returns the value that a flag has by itself.
  func valueWithoutOverride<F: FeatureFlag>(
    of flag: F, in context: EvaluationContext, _ trace: inout Trace
  ) -> F.Value {
    flag.computed == nil
      ? providedValue(of: flag, in: context, &trace) : computedValue(of: flag, in: context, &trace)
  }

  @inline(never)
  private func computedValue<F: FeatureFlag>(
    of flag: F, in context: EvaluationContext, _ trace: inout Trace
  ) -> F.Value {
    trace.isLasting = false
    if let value = flag.computed?(context) {
      trace.decide(.computed, nil)
      return value
    }
    return providedValue(of: flag, in: context, &trace)
  }

  private func providedValue<F: FeatureFlag>(
    of flag: F, in context: EvaluationContext, _ trace: inout Trace
  ) -> F.Value {
    let key = providerKey(of: flag)
    let excluded = flag.metadata.excludedProviders
    for source in content.sources {
      if !excluded.isEmpty, excluded.contains(source.name) { continue }
      do throws(FlagError) {
        guard let answer = try source.snapshot.answer(for: key, in: context) else { continue }
        guard let raw = answer.value else {
          trace.decide(answer, source.name)
          return defaultValue(of: flag)
        }
        let value = try raw.decode(as: F.Value.self, textReader: source.textReader)
        trace.decide(answer, source.name)
        return value
      } catch {
        trace.fail(error, flag.key, source.name)
      }
    }
    trace.decide(trace.errors.isEmpty ? .default : .error, nil)
    return defaultValue(of: flag)
  }

  /// Returns what one provider by itself gives for a flag, or nil where it has no answer.
  func value<F: FeatureFlag>(
    of flag: F, under key: FlagKey, from source: Source, in context: EvaluationContext, _ trace: inout Trace
  ) throws(FlagError) -> F.Value? {
    guard let answer = try source.snapshot.answer(for: key, in: context) else { return nil }
    let value = try answer.value?.decode(as: F.Value.self, textReader: source.textReader)
    trace.decide(answer, source.name)
    return value ?? defaultValue(of: flag)
  }

  /// Returns what providers call a flag.
  func providerKey(of flag: some FeatureFlag) -> FlagKey {
    content.providerKeys.isEmpty ? flag.key : content.providerKeys[flag.key] ?? flag.key
  }

  /// Returns the value that stands when nothing else gives one.
  @inline(never)
  func defaultValue<F: FeatureFlag>(of flag: F) -> F.Value {
    // In two steps: the cast of a missing value to an optional type would succeed.
    guard !content.defaults.isEmpty, let replaced = content.defaults[flag.key], let value = replaced as? F.Value else {
      return flag.defaultValue
    }
    return value
  }
}

extension FlagState {
  /// Returns a flag's full resolution.
  func resolution<F: FeatureFlag>(of flag: F, in context: EvaluationContext) -> FlagResolution<F.Value> {
    var trace = Trace()
    let value = value(of: flag, in: context, &trace)
    return FlagResolution(value, trace)
  }

  /// Returns every provider's own answer.
  func answers<F: FeatureFlag>(for flag: F, in context: EvaluationContext) -> [ProviderAnswer<F.Value>] {
    content.sources.map { source in
      var trace = Trace()
      let outcome = Result { () throws(FlagError) in
        try value(of: flag, under: providerKey(of: flag), from: source, in: context, &trace)
      }
      return ProviderAnswer(
        provider: source.name, isExcluded: flag.metadata.excludedProviders.contains(source.name),
        outcome: outcome.map { $0.map { FlagResolution($0, trace) } }
          .mapError { $0.located(at: flag.key, in: source.name) })
    }
  }
}

extension FlagResolution {
  fileprivate init(_ value: Value, _ trace: Trace) {
    self.init(
      value, variant: trace.variant, reason: trace.reason, provider: trace.provider, errors: trace.errors,
      metadata: trace.metadata)
  }
}

extension Trace {
  fileprivate mutating func decide(_ reason: ResolutionReason, _ provider: String?) {
    self.reason = reason
    self.provider = provider
  }

  fileprivate mutating func decide(_ answer: FlagAnswer, _ provider: String) {
    decide(answer.reason, provider)
    variant = answer.variant
    metadata = answer.metadata
    if answer.isTransient { isLasting = false }
  }

  fileprivate mutating func fail(_ error: FlagError, _ key: FlagKey, _ provider: String) {
    errors.append(error.located(at: key, in: provider))
    if error.isTransient { isLasting = false }
  }
}

extension FlagError {
  fileprivate func located(at key: FlagKey, in provider: String) -> FlagError {
    var error = self
    error.key = error.key ?? key
    error.provider = error.provider ?? provider
    return error
  }
}

extension String {
  /// The name under which overrides appear among providers.
  static let overrides = "overrides"
}

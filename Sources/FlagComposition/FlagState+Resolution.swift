internal import FlagDomain

/// A resolution, and whether it stands as long as the state does.
struct Resolved<Value: Sendable> {
  var resolution: FlagResolution<Value>
  var isLasting = true

  /// The same, as an override.
  var overriding: Self {
    var copy = self
    copy.resolution.reason = .override
    return copy
  }
}

extension FlagState {
  /// Returns a flag's value: an override, else the computed value, else the providers in order, else the default.
  ///
  /// Pure, but for a flag's own closure and providers' transient answers.
  func resolve<F: FeatureFlag>(_ flag: F, in context: EvaluationContext) -> Resolved<F.Value> {
    var errors: [FlagError] = []
    if let launch = content.launch {
      switch outcome(of: launch, for: flag, under: flag.key, in: context) {
      case .success(let resolved?): return resolved.overriding
      case .success(nil): break
      case .failure(let error): errors.append(error)
      }
    }
    if !content.overrides.isEmpty, let override = content.overrides.value(for: flag) {
      switch decoded(override, for: flag) {
      case .success(let value):
        return Resolved(
          resolution: FlagResolution(value, reason: .override, provider: .overrides, errors: errors))
      case .failure(let error): errors.append(error)
      }
    }
    return resolveWithoutOverride(flag, in: context, errors: errors)
  }

  /// Returns the value that a flag has by itself.
  func resolveWithoutOverride<F: FeatureFlag>(
    _ flag: F, in context: EvaluationContext, errors: [FlagError] = []
  ) -> Resolved<F.Value> {
    guard let computed = flag.computed else { return resolveFromSources(flag, in: context, errors: errors) }
    if let value = computed(context) {
      return Resolved(resolution: FlagResolution(value, reason: .computed, errors: errors), isLasting: false)
    }
    var resolved = resolveFromSources(flag, in: context, errors: errors)
    resolved.isLasting = false
    return resolved
  }

  private func resolveFromSources<F: FeatureFlag>(
    _ flag: F, in context: EvaluationContext, errors: [FlagError]
  ) -> Resolved<F.Value> {
    var errors = errors
    let excluded = flag.metadata.excludedProviders
    for source in content.sources where excluded.isEmpty || !excluded.contains(source.name) {
      switch outcome(of: source, for: flag, in: context) {
      case .success(nil): continue
      case .success(var resolved?):
        resolved.resolution.errors = errors
        resolved.isLasting = resolved.isLasting && !errors.contains(where: \.isTransient)
        return resolved
      case .failure(let error): errors.append(error)
      }
    }
    return Resolved(
      resolution: FlagResolution(
        defaultValue(of: flag), reason: errors.isEmpty ? .default : .error, errors: errors),
      isLasting: !errors.contains(where: \.isTransient))
  }

  /// Returns what one provider by itself makes of a flag, nil where it has no answer.
  func outcome<F: FeatureFlag>(
    of source: Source, for flag: F, in context: EvaluationContext
  ) -> Result<Resolved<F.Value>?, FlagError> {
    outcome(of: source, for: flag, under: providerKey(of: flag), in: context)
  }

  /// Returns what providers call a flag.
  func providerKey(of flag: some FeatureFlag) -> FlagKey {
    content.providerKeys.isEmpty ? flag.key : content.providerKeys[flag.key] ?? flag.key
  }

  private func outcome<F: FeatureFlag>(
    of source: Source, for flag: F, under key: FlagKey, in context: EvaluationContext
  ) -> Result<Resolved<F.Value>?, FlagError> {
    do throws(FlagError) {
      guard let answer = try source.snapshot.answer(for: key, in: context) else { return .success(nil) }
      let value =
        if let value = answer.value {
          try value.decode(as: F.Value.self, textReader: source.snapshot.textReader)
        } else {
          defaultValue(of: flag)
        }
      return .success(
        Resolved(
          resolution: FlagResolution(
            value, variant: answer.variant, reason: answer.reason, provider: source.name, metadata: answer.metadata),
          isLasting: !answer.isTransient))
    } catch {
      return .failure(error.located(at: flag.key, in: source.name))
    }
  }

  /// Returns the value that stands when nothing else gives one.
  func defaultValue<F: FeatureFlag>(of flag: F) -> F.Value {
    guard !content.defaults.isEmpty, let value = content.defaults[flag.key] as? F.Value else {
      return flag.defaultValue
    }
    return value
  }

  private func decoded<F: FeatureFlag>(_ override: FlagValue, for flag: F) -> Result<F.Value, FlagError> {
    do throws(FlagError) {
      return .success(try override.decode(as: F.Value.self))
    } catch {
      return .failure(error.located(at: flag.key, in: .overrides))
    }
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

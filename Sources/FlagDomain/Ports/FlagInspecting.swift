/// Explains values: why a flag has the one it has, and what each provider would say.
public protocol FlagInspecting: Sendable {
  /// Returns a flag's value for whoever is signed in, with variant, reason, provider and failures.
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value>

  /// Returns every provider's own answer, in the order in which they are asked, whichever of them decides.
  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>]
}

extension FlagInspecting {
  /// Returns what one provider by itself gives for a flag, even behind an override or a computed value.
  ///
  /// - Parameters:
  ///   - flag: The flag.
  ///   - provider: The provider's name.
  ///   - fallback: Whether the flag's full resolution stands in where that provider has no usable answer.
  /// - Returns: The resolution; nil without a usable answer and without fallback.
  public func resolution<F: FeatureFlag>(
    of flag: F, from provider: String, fallback: Bool
  ) -> FlagResolution<F.Value>? {
    for answer in answers(for: flag) where answer.provider == provider {
      if case .success(let resolution?) = answer.outcome { return resolution }
    }
    return fallback ? resolution(of: flag) : nil
  }
}

/// What one provider by itself would give for a flag.
public struct ProviderAnswer<Value: Sendable>: Sendable {
  /// The provider's name.
  public var provider: String
  /// Whether the flag asks that this provider be left out.
  public var isExcluded: Bool
  /// The resolution with this provider alone; nil where it has no answer, a failure where it is unusable.
  public var outcome: Result<FlagResolution<Value>?, FlagError>

  /// Creates an answer.
  public init(provider: String, isExcluded: Bool, outcome: Result<FlagResolution<Value>?, FlagError>) {
    self.provider = provider
    self.isExcluded = isExcluded
    self.outcome = outcome
  }
}

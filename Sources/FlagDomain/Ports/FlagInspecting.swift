/// Explains values: why a flag has the one it has, and what each provider would say.
public protocol FlagInspecting: Sendable {
  /// Returns a flag's value for whoever is signed in, with variant, reason, provider and failures.
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value>

  /// Returns every provider's own answer, in the order in which they are asked, whichever of them decides.
  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>]
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

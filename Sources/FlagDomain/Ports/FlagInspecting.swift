/// The port for explaining flags' values, and for reading the answers of single providers.
public protocol FlagInspecting: Sendable {
  /// Returns a flag's value for the current user, with variant, reason, provider and errors.
  func resolution<F: FeatureFlag>(of flag: F) -> FlagResolution<F.Value>

  /// Returns every provider's own answer, in the order in which they are queried.
  func answers<F: FeatureFlag>(for flag: F) -> [ProviderAnswer<F.Value>]
}

extension FlagInspecting {
  /// Returns the answer of a single provider, ignoring overrides and computed values.
  ///
  /// - Parameters:
  ///   - flag: The flag.
  ///   - provider: The provider's name.
  ///   - fallback: Whether to return the full resolution when that provider has no usable answer.
  /// - Returns: The resolution, or nil when there is no usable answer and no fallback.
  public func resolution<F: FeatureFlag>(
    of flag: F, from provider: String, fallback: Bool
  ) -> FlagResolution<F.Value>? {
    for answer in answers(for: flag) where answer.provider == provider {
      if case .success(let resolution?) = answer.outcome { return resolution }
    }
    return fallback ? resolution(of: flag) : nil
  }
}

/// The answer of a single provider for a flag.
public struct ProviderAnswer<Value: Sendable>: Sendable {
  /// The provider's name.
  public var provider: String
  /// Whether the flag excludes this provider.
  public var isExcluded: Bool
  /// The resolution with this provider alone; nil if it has no answer, a failure if the answer is unusable.
  public var outcome: Result<FlagResolution<Value>?, FlagError>

  /// Creates an answer.
  public init(provider: String, isExcluded: Bool, outcome: Result<FlagResolution<Value>?, FlagError>) {
    self.provider = provider
    self.isExcluded = isExcluded
    self.outcome = outcome
  }
}

extension ProviderAnswer {
  /// The value with this provider alone; nil if it has no answer, or an unusable one, which ``outcome`` tells apart.
  public var value: Value? {
    guard case .success(let resolution?) = outcome else { return nil }
    return resolution.value
  }
}

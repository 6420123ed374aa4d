/// The value of a flag, and how it came about.
public struct FlagResolution<Value: Sendable>: Sendable {
  /// The value; the flag's default where nothing else gave one.
  public var value: Value
  /// The name of the chosen variant, or nil.
  public var variant: String?
  /// Why this is the value.
  public var reason: ResolutionReason
  /// The name of the provider that gave the value; nil for a default or a computed value.
  public var provider: String?
  /// What failed on the way, in the order in which providers were asked.
  public var errors: [FlagError]
  /// What the deciding provider carried along.
  public var metadata: [String: FlagValue]

  /// Creates a resolution.
  public init(
    _ value: Value,
    variant: String? = nil,
    reason: ResolutionReason,
    provider: String? = nil,
    errors: [FlagError] = [],
    metadata: [String: FlagValue] = [:]
  ) {
    self.value = value
    self.variant = variant
    self.reason = reason
    self.provider = provider
    self.errors = errors
    self.metadata = metadata
  }
}

extension FlagResolution {
  /// The first failure on the way, or nil.
  public var error: FlagError? { errors.first }
}

extension FlagResolution: Equatable where Value: Equatable {}
extension FlagResolution: Hashable where Value: Hashable {}

/// The value of a flag, with the reason for it.
public struct FlagResolution<Value: Sendable>: Sendable {
  /// The value; the flag's default if nothing else gave one.
  public var value: Value
  /// The name of the chosen variant, or nil.
  public var variant: String?
  /// The reason for the value.
  public var reason: ResolutionReason
  /// The name of the provider that gave the value; nil for a default or a computed value.
  public var provider: String?
  /// The errors that occurred, in the order in which providers were queried.
  public var errors: [FlagError]
  /// The metadata of the flag's definition, from the provider that gave the value.
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

  /// The first error that occurred, or nil.
  public var error: FlagError? { errors.first }
}

extension FlagResolution: Equatable where Value: Equatable {}
extension FlagResolution: Hashable where Value: Hashable {}

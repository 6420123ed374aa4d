/// What one provider says of one flag, before the flag's type is known.
public struct FlagAnswer: Hashable, Sendable {
  /// The value; nil is a decision too, namely that the code's default stands.
  public var value: FlagValue?
  /// The name of the chosen variant, where the provider names its variants.
  public var variant: String?
  /// Why this is the answer.
  public var reason: ResolutionReason
  /// Strings, numbers and booleans that the definition carries along.
  public var metadata: [String: FlagValue]
  /// Whether the same question may get another answer later although nothing changed, as rules about time do.
  ///
  /// Such an answer is never kept.
  public var isTransient: Bool

  /// Creates an answer.
  public init(
    _ value: FlagValue?,
    variant: String? = nil,
    reason: ResolutionReason = .static,
    metadata: [String: FlagValue] = [:],
    isTransient: Bool = false
  ) {
    self.value = value
    self.variant = variant
    self.reason = reason
    self.metadata = metadata
    self.isTransient = isTransient
  }
}

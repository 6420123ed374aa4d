/// A provider's answer for a flag, before it is converted to the flag's type.
public struct FlagAnswer: Hashable, Sendable {
  /// The value; nil means that the flag's default in code is to be used.
  public var value: FlagValue?
  /// The name of the chosen variant, if the provider names its variants.
  public var variant: String?
  /// The reason for the answer.
  public var reason: ResolutionReason
  /// The metadata of the flag's definition: strings, numbers and booleans.
  public var metadata: [String: FlagValue]
  /// Whether the answer may differ later although nothing changed, as with rules about time.
  ///
  /// A transient answer is never cached.
  public var isTransient: Bool
  /// Whether a rule needed a targeting key for a rollout, and the context has none.
  ///
  /// The rollout then chooses nothing, so it is usually the default variant's; explanations say why.
  public var isMissingTargetingKey: Bool
  /// Whether the definition says that the flag is an experiment, whose reads are counted.
  public var isExperiment: Bool

  /// Creates an answer; if `isExperiment` is nil, it is taken from the metadata's member `experiment`.
  public init(
    _ value: FlagValue?,
    variant: String? = nil,
    reason: ResolutionReason = .static,
    metadata: [String: FlagValue] = [:],
    isTransient: Bool = false,
    isMissingTargetingKey: Bool = false,
    isExperiment: Bool? = nil
  ) {
    self.value = value
    self.variant = variant
    self.reason = reason
    self.metadata = metadata
    self.isTransient = isTransient
    self.isMissingTargetingKey = isMissingTargetingKey
    self.isExperiment = isExperiment ?? Self.isExperiment(metadata)
  }

  /// The name of the metadata's member that names the attribute whose values an experiment counts.
  package static let unitAttributeName = "unitAttribute"

  private static func isExperiment(_ metadata: [String: FlagValue]) -> Bool {
    !metadata.isEmpty && metadata.member("experiment") == .bool(true)
  }
}

extension [String: FlagValue] {
  /// Of metadata, the name of the attribute whose values an experiment counts; nil if they name none.
  package var unitAttribute: String? {
    if case .string(let name)? = member(FlagAnswer.unitAttributeName) { name } else { nil }
  }
}

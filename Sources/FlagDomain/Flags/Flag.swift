/// A flag as a value: one line declares it.
///
/// ```swift
/// let pageSize = Flag("feed.page-size", default: 20, "Posts on one page of the feed.")
/// manager.variation(for: pageSize)
/// ```
public struct Flag<Value: Decodable & Sendable>: FeatureFlag {
  /// The name under which providers know the flag.
  public let key: FlagKey
  /// The value that stands when nothing else gives one.
  public let defaultValue: Value
  /// What the flag says of itself to people and to the composition.
  public let metadata: FlagMetadata
  /// A closure that is asked after an override and before the providers, or nil.
  public let computed: (@Sendable (EvaluationContext) -> Value?)?

  /// Creates a flag.
  ///
  /// - Parameters:
  ///   - key: The name under which providers know the flag.
  ///   - defaultValue: The value that stands when nothing else gives one.
  ///   - metadata: What the flag says of itself; a string literal is its description.
  ///   - computed: A closure that is asked at every read, after an override and before the providers; its nil asks on.
  public init(
    _ key: FlagKey,
    default defaultValue: Value,
    _ metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) {
    self.key = key
    self.defaultValue = defaultValue
    self.metadata = metadata
    self.computed = computed
  }
}

extension Flag: CustomStringConvertible {
  /// The flag's key and default.
  public var description: String { "\(key) = \(defaultValue)" }
}

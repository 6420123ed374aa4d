/// A flag: a key, the type of its values, and the value that stands when no provider has one.
///
/// ``Flag`` conforms; a feature module may conform a type of its own instead, to offer its flags as static members.
public protocol FeatureFlag<Value>: Sendable {
  /// The type of the flag's values.
  associatedtype Value: Decodable & Sendable

  /// The name under which providers know the flag.
  var key: FlagKey { get }

  /// The value that stands when nothing else gives one.
  var defaultValue: Value { get }

  /// What the flag says of itself to people and to the composition.
  var metadata: FlagMetadata { get }

  /// A closure that is asked after an override and before the providers, or nil.
  ///
  /// It is called at every read, on the reader's thread, and its nil asks the providers.
  var computed: (@Sendable (EvaluationContext) -> Value?)? { get }
}

extension FeatureFlag {
  /// Metadata that says nothing.
  public var metadata: FlagMetadata { FlagMetadata() }

  /// No closure.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { nil }
}

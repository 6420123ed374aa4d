/// A flag as a value, declared in one line.
///
/// ```swift
/// let pageSize = Flag("feed.page-size", default: 20, "Posts on one page of the feed.")
/// manager.variation(for: pageSize)
/// ```
///
/// Making a flag costs about a hundred times what reading one does, so make it once: as a `static let`, or by
/// `@FlagSet`.
public struct Flag<Value: Decodable & Sendable>: FeatureFlag {
  /// The name under which providers know the flag.
  public let key: FlagKey
  /// The only stored reference, whatever the type of the values.
  ///
  /// The compiler passes a stored flag this small to a read without copying it. A structure with more references would
  /// be copied, with an increment of each reference count in memory that all threads share.
  private let declaration: Declaration

  private final class Declaration: Sendable {
    let metadata: FlagMetadata
    let computed: (@Sendable (EvaluationContext) -> Value?)?
    let fallback: (@Sendable (EvaluationContext) -> Value?)?
    let defaultValue: Value

    init(
      _ defaultValue: Value, _ metadata: FlagMetadata, computed: (@Sendable (EvaluationContext) -> Value?)?,
      fallback: (@Sendable (EvaluationContext) -> Value?)?
    ) {
      (self.metadata, self.computed, self.fallback) = (metadata, computed, fallback)
      self.defaultValue = defaultValue
    }
  }

  /// Creates a flag.
  ///
  /// - Parameters:
  ///   - key: The name under which providers know the flag.
  ///   - defaultValue: The value that is used if there is no other.
  ///   - metadata: The description of the flag; a string literal is enough.
  ///   - computed: A closure that is called at every read, after overrides and before the providers. If it returns nil,
  ///     the providers are queried.
  ///   - fallback: A closure that is called at every read if no provider has a value: "on for internal users, unless the
  ///     service says otherwise". If it returns nil, the default is used.
  public init(
    _ key: FlagKey,
    default defaultValue: Value,
    _ metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil,
    fallback: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) {
    self.key = key.declared(default: defaultValue, metadata, isComputed: computed != nil || fallback != nil)
    declaration = Declaration(defaultValue, metadata, computed: computed, fallback: fallback)
  }

  /// The value that is used if there is no other.
  public var defaultValue: Value { declaration.defaultValue }
  /// The description of the flag, for people and for the client.
  public var metadata: FlagMetadata { declaration.metadata }
  /// A closure that is evaluated after an override and before the providers, or nil.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { declaration.computed }
  /// A closure that is evaluated if no provider has a value, before the default, or nil.
  public var fallback: (@Sendable (EvaluationContext) -> Value?)? { declaration.fallback }
  /// The parts of the metadata that affect the flag's value.
  public var traits: FlagTraits { key.traits }
}

extension Flag: Identifiable {
  /// The flag's key.
  public var id: FlagKey { key }
}

extension Flag: Equatable where Value: Equatable {
  /// Returns whether two flags have the same key, default and metadata, and both or neither have each closure.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.defaultValue == right.defaultValue && left.metadata == right.metadata
      && (left.computed == nil) == (right.computed == nil) && (left.fallback == nil) == (right.fallback == nil)
  }
}

extension Flag: Hashable where Value: Hashable {
  /// Feeds the flag's key and default to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(defaultValue)
  }
}

extension Flag: CustomStringConvertible {
  /// The flag's key and default.
  public var description: String { "\(key) = \(defaultValue)" }
}

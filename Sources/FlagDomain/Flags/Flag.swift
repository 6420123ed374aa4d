/// A flag as a value: one line declares it.
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
  /// One reference, whatever the type of the values.
  ///
  /// Of a structure this small, the compiler lends a stored flag to a read. One of more references it copies, and
  /// counts each of them in memory that all threads share.
  private let declaration: Declaration

  private final class Declaration: Sendable {
    let metadata: FlagMetadata
    let computed: (@Sendable (EvaluationContext) -> Value?)?
    let defaultValue: Value

    init(_ defaultValue: Value, _ metadata: FlagMetadata, _ computed: (@Sendable (EvaluationContext) -> Value?)?) {
      self.metadata = metadata
      self.computed = computed
      self.defaultValue = defaultValue
    }
  }

  /// Creates a flag.
  ///
  /// - Parameters:
  ///   - key: The name under which providers know the flag.
  ///   - defaultValue: The value when nothing else gives one.
  ///   - metadata: The description of the flag; a string literal is enough.
  ///   - computed: A closure that is called at every read, after overrides and before the providers. If it returns nil,
  ///     the providers are asked.
  public init(
    _ key: FlagKey,
    default defaultValue: Value,
    _ metadata: FlagMetadata,
    computed: (@Sendable (EvaluationContext) -> Value?)? = nil
  ) {
    self.key = key.declared(default: defaultValue, metadata, isComputed: computed != nil)
    declaration = Declaration(defaultValue, metadata, computed)
  }
}

extension Flag {
  /// The value when nothing else gives one.
  public var defaultValue: Value { declaration.defaultValue }
  /// The description of the flag, for people and for the client.
  public var metadata: FlagMetadata { declaration.metadata }
  /// A closure that is asked after an override and before the providers, or nil.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { declaration.computed }
  /// What of the metadata decides the flag's value.
  public var traits: FlagTraits { key.traits }
}

extension Flag: Identifiable {
  /// The flag's key.
  public var id: FlagKey { key }
}

extension Flag: Equatable where Value: Equatable {
  /// Returns whether two flags have the same key, default and metadata, and both or neither have a closure.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.defaultValue == right.defaultValue && left.metadata == right.metadata
      && (left.computed == nil) == (right.computed == nil)
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

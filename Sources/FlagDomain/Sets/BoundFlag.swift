/// A flag together with the manager that it is read from: the type of a set's `$` properties.
///
/// It is a flag, so every port takes it: `inspector.resolution(of: home.$theme)` explains its value, and
/// `observer.values(of: home.$theme)` follows it.
public struct BoundFlag<Value: Decodable & Sendable>: FeatureFlag {
  private let flag: Flag<Value>
  private let manager: any FeatureFlagManager

  /// Binds a flag to a manager.
  public init(_ flag: Flag<Value>, in manager: any FeatureFlagManager) {
    self.flag = flag
    self.manager = manager
  }
}

extension Flag {
  /// The flag bound to the manager that it is read from.
  public typealias Bound = BoundFlag<Value>
}

extension BoundFlag {
  /// The name under which providers know the flag.
  public var key: FlagKey { flag.key }
  /// The value that is used if there is no other.
  ///
  /// It is the replaced default, if the client has replaced the flag's own.
  public var defaultValue: Value { manager.defaultValue(of: flag) }
  /// The description of the flag.
  public var metadata: FlagMetadata { flag.metadata }
  /// The parts of the metadata that affect the flag's value.
  public var traits: FlagTraits { flag.traits }
  /// A closure that is evaluated after an override and before the providers, or nil.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { flag.computed }
  /// A closure that is evaluated if no provider has a value, before the default, or nil.
  public var fallback: (@Sendable (EvaluationContext) -> Value?)? { flag.fallback }

  /// The current value.
  public var value: Value { manager.variation(for: flag) }

  /// The current value, read without counting it as seen by the user: for logs and previews.
  public var peek: Value { manager.peek(at: flag) }
}

extension BoundFlag where Value: Equatable {
  /// Returns the flag's values: the current one first, then each that differs from the one before.
  ///
  /// Each value is read from the manager that the flag is bound to, which may be a decorator. The sequence has one
  /// consumer, retains the manager, and ends when the consuming task is cancelled or the observer's changes end.
  ///
  /// - Parameter observer: An observer whose changes cause the next read.
  /// - Returns: A sequence whose first element is the value at the time of the first call of `next()`.
  public func values(following observer: any FlagObserving) -> FlagValues<Value> {
    FlagValues(of: self, changes: observer.changes()) { value }
  }
}

extension BoundFlag: Identifiable {
  /// The flag's key.
  public var id: FlagKey { key }
}

extension BoundFlag: Equatable where Value: Equatable {
  /// Returns whether two flags are the same and have the same current value.
  public static func == (left: Self, right: Self) -> Bool { left.flag == right.flag && left.peek == right.peek }
}

extension BoundFlag: Hashable where Value: Hashable {
  /// Feeds the flag to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(flag) }
}

extension BoundFlag: CustomStringConvertible {
  /// The flag's key and current value.
  public var description: String { "\(key) = \(peek)" }
}

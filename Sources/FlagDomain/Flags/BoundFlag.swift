/// A flag together with what it is read from: what a set's `$` properties give.
public struct BoundFlag<Value: Decodable & Sendable>: FeatureFlag {
  private let flag: Flag<Value>
  private let manager: any FeatureFlagManager

  /// Binds a flag to a manager.
  public init(_ flag: Flag<Value>, in manager: any FeatureFlagManager) {
    self.flag = flag
    self.manager = manager
  }
}

extension BoundFlag {
  /// The name under which providers know the flag.
  public var key: FlagKey { flag.key }
  /// The value that stands when nothing else gives one.
  public var defaultValue: Value { flag.defaultValue }
  /// What the flag says of itself.
  public var metadata: FlagMetadata { flag.metadata }
  /// A closure that is asked after an override and before the providers, or nil.
  public var computed: (@Sendable (EvaluationContext) -> Value?)? { flag.computed }
}

extension BoundFlag {
  /// The current value.
  public var value: Value { manager.variation(for: flag) }

  /// The current value and how it came about; the reason is unknown to a manager that cannot explain itself.
  public var resolution: FlagResolution<Value> {
    guard let inspector = manager as? any FlagInspecting else { return FlagResolution(value, reason: .unknown) }
    return inspector.resolution(of: flag)
  }
}

extension BoundFlag where Value: Equatable {
  /// The current value, then each that differs from the one before; the current one alone, where the manager cannot
  /// tell of changes.
  public var values: FlagValues<Value> {
    guard let observer = manager as? any FlagObserving else { return unchangingValues }
    return observer.values(of: flag)
  }

  private var unchangingValues: FlagValues<Value> {
    let (changes, feed) = FlagChanges.makeSequence()
    feed.finish()
    return FlagValues(key: key, changes: changes) { value }
  }
}

extension BoundFlag: CustomStringConvertible {
  /// The flag's key and current value.
  public var description: String { "\(key) = \(value)" }
}

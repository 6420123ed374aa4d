/// A manager whose flags have fixed values, for previews and other code without a client.
///
/// ```swift
/// FeedView(flags: FixedFlags { $0.set(FeedFlags.flags.pageSize, to: 5) })
/// ```
///
/// A flag that was not set has its default, or follows from others.
public struct FixedFlags: FeatureFlagManager {
  private var values: [FlagKey: any Sendable] = [:]

  /// Creates a manager, and sets its flags.
  public init(_ set: (inout FixedFlags) -> Void = { _ in }) { set(&self) }

  /// Sets a flag's value.
  public mutating func set<F: FeatureFlag>(_ flag: F, to value: F.Value) { values[flag.key] = value }

  /// Returns the value that was set, else what follows from others, or the flag's default.
  public func variation<Value>(for flag: some FeatureFlag<Value>) -> Value {
    // In two steps: the cast of a missing value to an optional type would succeed.
    if let set = values[flag.key], let value = set as? Value { return value }
    guard flag.metadata.isDerived else { return flag.defaultValue }
    do throws(FlagError) {
      return try _DerivedFlags.value(of: flag, in: EvaluationContext(), from: self) ?? flag.defaultValue
    } catch {
      return flag.defaultValue  // It follows from itself, which a client reports.
    }
  }
}

/// A store of the variants that users keep in experiments: the port of an app that has sticky buckets.
///
/// It is asked while a flag is read, on any thread, so it must answer from memory, and write later.
public protocol StickyBucketStore: AnyObject, Sendable {
  /// Returns the variants by the experiments that a unit was assigned in, or nothing.
  ///
  /// An experiment's name is its key and its version, as in `checkout__0`.
  func assignments(of unit: StickyBucketUnit) -> [String: String]

  /// Adds assignments to those of a unit.
  func save(_ assignments: [String: String], of unit: StickyBucketUnit)

  /// Removes the assignments of a unit in some experiments, which assign it anew.
  func remove(_ experiments: Set<String>, of unit: StickyBucketUnit)
}

/// A user, device or company that keeps its variants: an attribute and its value.
public struct StickyBucketUnit: Hashable, Sendable {
  /// The name of the attribute, such as `id`.
  public var attribute: String
  /// The attribute's value as text.
  public var value: String

  /// Creates a unit.
  public init(attribute: String, value: String) { (self.attribute, self.value) = (attribute, value) }

  /// Creates the unit that an experiment with some metadata counts; nil if a context has none.
  package init?(of metadata: [String: FlagValue], in context: EvaluationContext) {
    let attribute = metadata.unitAttribute ?? EvaluationContext.targetingKeyName
    guard let value = context.unit(named: attribute) else { return nil }
    self.init(attribute: attribute, value: value)
  }
}

extension StickyBucketUnit: CustomStringConvertible {
  /// The key of the unit in the stores of GrowthBook's SDKs, such as `id||42`.
  public var description: String { "\(attribute)||\(value)" }
}

import FlagDomain

/// A store of the variations that users keep: the port of an app that has sticky buckets.
///
/// It is asked while a flag is read, on any thread, so it must answer from memory, and write later.
public protocol StickyBucketStore: AnyObject, Sendable {
  /// Returns the keys of variations by the experiments that a unit was assigned in, or nothing.
  ///
  /// An experiment's name is its key and its version, as in `checkout__0`.
  func assignments(of unit: StickyBucketUnit) -> [String: String]

  /// Adds assignments to those of a unit.
  func save(_ assignments: [String: String], of unit: StickyBucketUnit)
}

/// A user, device or company that keeps its variations: an attribute and its value.
public struct StickyBucketUnit: Hashable, Sendable {
  /// The name of the attribute, such as `id`.
  public var attribute: String
  /// The attribute's value as text.
  public var value: String

  /// Creates a unit.
  public init(attribute: String, value: String) { (self.attribute, self.value) = (attribute, value) }
}

extension StickyBucketUnit: CustomStringConvertible {
  /// The key of the unit in the stores of GrowthBook's SDKs, such as `id||42`.
  public var description: String { "\(attribute)||\(value)" }
}

/// A store of kept variations in memory.
public final class InMemoryStickyBuckets: StickyBucketStore {
  private let state: Locked<[StickyBucketUnit: [String: String]]>

  /// Creates a store with assignments.
  public init(_ assignments: [StickyBucketUnit: [String: String]] = [:]) { state = Locked(assignments) }

  /// All assignments by their units, for an app that keeps them.
  public var assignments: [StickyBucketUnit: [String: String]] { state.withLock { $0 } }

  /// Returns the assignments of a unit.
  public func assignments(of unit: StickyBucketUnit) -> [String: String] { state.withLock { $0[unit] ?? [:] } }

  /// Adds assignments to those of a unit.
  public func save(_ assignments: [String: String], of unit: StickyBucketUnit) {
    state.withLock { $0[unit, default: [:]].merge(assignments) { _, new in new } }
  }
}

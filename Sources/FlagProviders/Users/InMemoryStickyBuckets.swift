public import FlagDomain

/// A store of kept variants in memory.
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

  /// Removes assignments of a unit.
  public func remove(_ experiments: Set<String>, of unit: StickyBucketUnit) {
    state.withLock { state in
      let left = state[unit]?.filter { !experiments.contains($0.key) } ?? [:]
      state[unit] = left.isEmpty ? nil : left
    }
  }
}

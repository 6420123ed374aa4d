/// Tells of changes.
public protocol FlagObserving: Sendable {
  /// Returns the changes from this moment on.
  ///
  /// The sequence has one consumer. A busy one receives several changes as one, of all their keys: it may miss a
  /// change, but never that a key changed. The sequence ends with the task that consumes it, and with the composition.
  func changes() -> FlagChanges

  /// Returns the values of a flag: the current one first, then each that differs from the one before.
  ///
  /// A busy consumer may miss values, never the newest. A value that changes by itself, as time passes, is not
  /// noticed before the next change.
  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable
}

/// One or more changes: what they touched, and why.
public struct FlagChange: Hashable, Sendable {
  /// The keys that the changes touched.
  public var keys: ChangedKeys
  /// What caused the changes.
  public var causes: Set<Cause>

  /// What caused a change.
  public enum Cause: Hashable, Sendable {
    /// An override was set or cleared.
    case override
    /// All overrides were cleared.
    case reset
    /// The provider of this name has other values.
    case provider(String)
    /// Someone signed in or out.
    case user
    /// A flag's default was replaced.
    case defaultValue
  }

  /// Creates a change.
  public init(keys: ChangedKeys, causes: Set<Cause>) {
    self.keys = keys
    self.causes = causes
  }

  /// Returns a change that stands for both.
  public func union(_ other: FlagChange) -> FlagChange {
    FlagChange(keys: keys.union(other.keys), causes: causes.union(other.causes))
  }
}

extension ChangedKeys {
  /// Returns whether a key is among those that changed.
  public func contains(_ key: FlagKey) -> Bool {
    switch self {
    case .some(let keys): keys.contains(key)
    case .all: true
    }
  }

  /// Returns the keys of both.
  public func union(_ other: ChangedKeys) -> ChangedKeys {
    guard case .some(let keys) = self, case .some(let others) = other else { return .all }
    return .some(keys.union(others))
  }
}

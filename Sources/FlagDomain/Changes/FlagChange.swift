/// One or more changes: the keys that they affect, and their causes.
public struct FlagChange: Hashable, Sendable {
  /// The keys whose values may have changed.
  public var keys: ChangedKeys
  /// The causes of the changes.
  public var causes: Set<Cause>

  /// The cause of a change.
  public enum Cause: Hashable, Sendable {
    /// An override was set or cleared.
    case override
    /// All overrides were cleared.
    case reset
    /// The values of the provider with this name changed.
    case provider(String)
    /// Someone signed in or out.
    case user
    /// A flag's default was replaced or reset.
    case defaultValue
    /// The attributes that do not depend on the user changed, or the anonymous id.
    case context
    /// The providers were replaced.
    case providers
    /// Flags were registered or unregistered: values are the same, but lists of flags must be reloaded.
    case catalogs
  }

  /// Creates a change.
  public init(keys: ChangedKeys, causes: Set<Cause>) {
    self.keys = keys
    self.causes = causes
  }

  /// Returns the two changes as one.
  public func union(_ other: FlagChange) -> FlagChange {
    FlagChange(keys: keys.union(other.keys), causes: causes.union(other.causes))
  }
}

/// The port for snapshots of all flags, whose reads are consistent with each other.
///
/// Every requirement may be called from any thread, as often as needed; a snapshot costs one allocation.
public protocol FlagSnapshotting: Sendable {
  /// Returns the flags of the current user, as of now.
  func snapshot() -> any FlagSnapshot

  /// Returns the flags of a given user, as of now; nil is a visitor.
  func snapshot(for user: FlagUser?) -> any FlagSnapshot

  /// The context that the current user's flags are resolved for, as of now.
  ///
  /// The default is an empty context: for flags that no context affects.
  var context: EvaluationContext { get }
}

extension FlagSnapshotting {
  /// An empty context.
  public var context: EvaluationContext { EvaluationContext() }
}

/// A manager whose flags never change, and which can explain their values.
///
/// Computed values and rules that depend on time are evaluated once, at the first read.
public typealias FlagSnapshot = FeatureFlagManager & FlagInspecting

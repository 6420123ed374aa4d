/// Takes consistent cuts, for reads that must agree with each other.
public protocol FlagSnapshotting: Sendable {
  /// Returns a manager that is frozen at this moment: its flags never change, whatever happens afterwards.
  func snapshot() -> any FeatureFlagManager
}

/// The port for observing changes of flags.
public protocol FlagObserving: Sendable {
  /// Returns the changes from now on.
  ///
  /// The sequence has one consumer. A slow consumer receives several changes merged into one, with the keys of all of
  /// them. The sequence ends when the consuming task is cancelled, or the client is released.
  func changes() -> FlagChanges

  /// Returns the values of a flag: the current one first, then each that differs from the one before.
  ///
  /// A slow consumer may miss values, but never the newest. A value that changes only with time is updated with the
  /// next change.
  func values<F: FeatureFlag>(of flag: F) -> FlagValues<F.Value> where F.Value: Equatable
}
